import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const text = "schema: olm.package\nname: kettle\ndefaultChannel: stable\n";
  writeFileSync(join(directory, "catalog/kettle.yaml"), Buffer.from(`\ufeff${text}`, "utf16le"));
  writeFileSync(join(directory, "catalog/no-mark.yaml"), Buffer.from(text, "utf16le"));
}
