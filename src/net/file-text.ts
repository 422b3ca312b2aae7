// What is the text of a small file, such as a certificate or a list of credentials? If it cannot be read, the failure says why.

import { readFileSync, statSync } from "node:fs";
import { quoted } from "../text/words.ts";
import { NetFailure } from "./failure.ts";

const MAX_FILE = 4 * 1024 * 1024;

/** The text of a file; `help` says what to do if it cannot be read. */
export function fileText(path: string, what: string, help: string): string {
  try {
    if (statSync(path).size > MAX_FILE) throw new NetFailure("config", `${what} is larger than 4 MiB`);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof NetFailure) throw error;
    const reason = fileReason((error as NodeJS.ErrnoException).code);
    throw new NetFailure("config", `${what} cannot be read: ${quoted(path)}: ${reason}`, { help });
  }
}

/** Why a file cannot be read, without its content. */
export function fileReason(code: string | undefined): string {
  switch (code) {
    case "ENOENT":
      return "no such file";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EISDIR":
      return "this is a directory";
    default:
      return code ?? "unknown error";
  }
}
