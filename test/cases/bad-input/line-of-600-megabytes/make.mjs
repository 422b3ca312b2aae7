import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export default function make(directory) {
  const packed = (name) => gzipSync(readFileSync(join(directory, name)));
  const piece = gzipSync("x".repeat(10_000_000));
  const line = [gzipSync('{"schema": "acme.long", "text": "'), ...Array(60).fill(piece), gzipSync('"}\n')];
  writeFileSync(
    join(directory, "catalog.jsonl.gz"),
    Buffer.concat([packed("anchor.jsonl"), ...line, packed("kettle.jsonl")]),
  );
}
