// What is the whole text of a file named by a flag? Decompressed, and at most as long as the limit.

import { printBytes } from "../input/limits.ts";
import { UnreadableError } from "../input/read-documents.ts";
import { DAMAGE, WholeLines } from "../input/whole-lines.ts";
import { fileChunks, standardInput } from "../source/file-chunks.ts";

/** The text of a file, or of standard input for `-`. Throws an `UnreadableError` with the reason. */
export async function wholeText(path: string, longest: number): Promise<string> {
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
