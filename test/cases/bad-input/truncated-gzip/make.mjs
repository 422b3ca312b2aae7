import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export default function make(directory) {
  // Stored, not compressed, so that the bytes are the same everywhere.
  const text = readFileSync(join(directory, "anchor.yaml"), "utf8");
  const packed = gzipSync(`${text}---\nschema: olm.package\nname: kettle\ndefaultChannel: stable\n`, { level: 0 });
  writeFileSync(join(directory, "cut.yaml.gz"), packed.subarray(0, packed.length - 30));
  const damaged = Buffer.from(packed);
  damaged[damaged.length - 8] ^= 0xff; // the checksum
  writeFileSync(join(directory, "damaged.yaml.gz"), damaged);
  writeFileSync(join(directory, "only-the-head.gz"), Buffer.from("1f8b2077726f6e67", "hex"));
}
