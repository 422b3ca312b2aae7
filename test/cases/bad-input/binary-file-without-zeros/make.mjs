import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  writeFileSync(join(directory, "catalog/photo.jpg"), Buffer.from("ffd8ffe1e2e3e4e5e6e7", "hex"));
}
