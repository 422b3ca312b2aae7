// How is the built command run in a test? As a user runs it: a process of its own, no terminal, no colour.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** What a command did. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const COMMAND = resolve("dist/bin/plimsoll.js");

/** Runs `plimsoll` with arguments in a directory. */
export function runCommand(args: readonly string[], directory: string, input?: string): Ran {
  if (!existsSync(COMMAND)) throw new Error("the command is not built; run npm test");
  const { PATH = "", HOME = "" } = process.env;
  const result = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: directory,
    env: { PATH, HOME, NO_COLOR: "1" },
    encoding: "utf8",
    input: input ?? "",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.error) throw result.error;
  return { code: result.status ?? -1, out: result.stdout, err: result.stderr };
}

/** Splits a command line at blanks; single and double quotes hold words together. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
