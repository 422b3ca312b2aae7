// What is the whole text of a file named by a flag, and how is such a file written?

import { writeFileSync } from "node:fs";
import { printBytes } from "../input/limits.ts";
import { UnreadableError } from "../input/read-documents.ts";
import { DAMAGE, WholeLines } from "../input/whole-lines.ts";
import { type Finding, finding } from "../model/finding.ts";
import { wholeSource } from "../model/place.ts";
import { fileChunks, reasonOf, standardInput } from "../source/file-chunks.ts";
import { STDIN } from "../source/input-files.ts";

/** The text of a file, or why it cannot be read. `source` is its name for messages. */
export type WholeText =
  | { readonly source: string; readonly text: string }
  | { readonly source: string; readonly unreadable: Finding };

/** The text of a file, or of standard input for `-`: decompressed, and at most as long as the limit. */
export async function wholeText(path: string, longest: number): Promise<WholeText> {
  const source = path === "-" ? STDIN : path;
  try {
    return { source, text: await textOf(path, longest) };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const message = `${source} cannot be read: ${error.message}`;
    return { source, unreadable: finding("PL001", wholeSource(source), { message }) };
  }
}

async function textOf(path: string, longest: number): Promise<string> {
  const lines = new WholeLines();
  let text = "";
  const take = (more: string): void => {
    text += more;
    if (text.length > longest)
      throw new UnreadableError(`it is longer than ${printBytes(longest)}; --max-document-bytes raises the limit`);
  };
  for await (const chunk of path === "-" ? standardInput() : fileChunks(path))
    for (const piece of lines.push(chunk)) take(piece.text);
  take(lines.end().text);
  return text.replace(/^\ufeff/, "").replaceAll(DAMAGE, "\ufffd");
}

/** Writes a file; returns why if that fails. */
export function writeText(path: string, text: string): string | undefined {
  try {
    writeFileSync(path, text);
    return undefined;
  } catch (error) {
    return `${path} cannot be written: ${reasonOf(error)}`;
  }
}
