// What are the lines of a file, one after another, however long the file is?
import { DAMAGE, WholeLines } from "../input/whole-lines.ts";
import { fileChunks, standardInput } from "./file-chunks.ts";

/** A line without its end; undefined in place of one that is too long. */
export type TextLine = string | undefined;

/** The lines of a file, or of standard input for `-`. Throws an `UnreadableError` if the file ends early. */
export async function* textLines(path: string, longest: number): AsyncGenerator<TextLine> {
  const lines = new WholeLines();
  let begun = "";
  let overlong = false;
  const take = function* (text: string): Generator<TextLine> {
    for (let start = 0; start < text.length; ) {
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      overlong ||= begun.length + end - start > longest;
      begun = overlong ? "" : begun + text.slice(start, end);
      if (newline < 0) return;
      yield overlong ? undefined : whole(begun);
      begun = "";
      overlong = false;
      start = newline + 1;
    }
  };
  for await (const chunk of path === "-" ? standardInput() : fileChunks(path)) {
    for (const { text } of lines.push(chunk)) yield* take(text);
  }
  yield* take(lines.end().text);
  if (overlong) yield undefined;
  else if (begun !== "") yield whole(begun);
}

function whole(line: string): string {
  return line.replace(/\r$/, "").replaceAll(DAMAGE, "\ufffd");
}
