// How are many objects written to a file? One a line, in pieces: all of them would not fit into one text.
import { closeSync, openSync, writeSync } from "node:fs";

const AT_ONCE = 1000;

/** Writes objects as JSON lines. */
export function writeLines(path, objects) {
  const file = openSync(path, "w");
  for (let first = 0; first < objects.length; first += AT_ONCE) {
    const texts = objects.slice(first, first + AT_ONCE).map((object) => `${JSON.stringify(object)}\n`);
    writeSync(file, texts.join(""));
  }
  closeSync(file);
}
