import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export default function make(directory) {
  const packed = gzipSync(readFileSync(join(directory, "anchor.yaml")), { level: 0 });
  packed[packed.length - 8] ^= 0xff; // the checksum
  writeFileSync(join(directory, "damaged.yaml.gz"), packed);
  writeFileSync(join(directory, "only-the-head.gz"), Buffer.from("1f8b2077726f6e67", "hex"));
}
