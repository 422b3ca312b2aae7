import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export default function make(directory) {
  // Stored, not compressed, so that the bytes are the same everywhere. The last 8 bytes are the checksum and the length.
  const text = `${readFileSync(join(directory, "anchor.yaml"), "utf8")}---\n${readFileSync(join(directory, "kettle.yaml"), "utf8")}`;
  const packed = gzipSync(text, { level: 0 });
  writeFileSync(join(directory, "cut.yaml.gz"), packed.subarray(0, packed.length - 8 - "0\n".length));
}
