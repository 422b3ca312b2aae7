import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  writeFileSync(join(directory, "catalog/icon.png"), Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"));
}
