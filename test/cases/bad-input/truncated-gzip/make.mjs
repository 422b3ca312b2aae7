import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export default function make(directory) {
  // Stored, not compressed, so that the bytes are the same everywhere.
  const text = readFileSync(join(directory, "anchor.yaml"), "utf8");
  const packed = gzipSync(`${text}---\nschema: olm.package\nname: kettle\ndefaultChannel: stable\n`, { level: 0 });
  writeFileSync(join(directory, "cut.yaml.gz"), packed.subarray(0, packed.length - 30));
}
