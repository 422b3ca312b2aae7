import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const bad = Array.from({ length: 103 }, (_, index) => `---\nschema: olm.package\nname: Kettle-${index}\n`).join("");
  writeFileSync(join(directory, "catalog.yaml"), readFileSync(join(directory, "anchor.yaml"), "utf8") + bad);
}
