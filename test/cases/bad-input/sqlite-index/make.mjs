import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export default function make(directory) {
  const index = Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(4096)]);
  writeFileSync(join(directory, "index.db"), index);
  writeFileSync(join(directory, "index.db.gz"), gzipSync(index));
}
