import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  mkdirSync(join(directory, "catalog"));
  writeFileSync(join(directory, "catalog/fork.json"), '\ufeff{"schema": "olm.package", "name": "Fork"}\n');
  writeFileSync(join(directory, "catalog/spoon.yaml"), "\ufeffname: Spoon\nschema: olm.package\n");
}
