import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const file = openSync(join(directory, "catalog.jsonl"), "w");
  const piece = Buffer.alloc(1_000_000, "x");
  writeSync(file, readFileSync(join(directory, "anchor.jsonl")));
  writeSync(file, '{"schema": "acme.long", "text": "');
  for (let written = 0; written < 300; written++) writeSync(file, piece);
  writeSync(file, '"}\n');
  writeSync(file, readFileSync(join(directory, "kettle.jsonl")));
  closeSync(file);
}
