import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  mkdirSync(join(directory, "catalog"));
  const bom = "\ufeff";
  const bundle = { schema: "olm.bundle", package: "kettle", name: "kettle.v1.0.0", image: "example.com/kettle:1.0.0" };
  const properties = [{ type: "olm.package", value: { packageName: "kettle", version: "1.0.0" } }];
  const documents = [
    { schema: "olm.package", name: "kettle", defaultChannel: "stable" },
    { schema: "olm.channel", package: "kettle", name: "stable", entries: [{ name: "kettle.v1.0.0" }] },
    { ...bundle, properties },
  ];
  const lines = documents.map((document) => `${JSON.stringify(document)}\n`).join("");
  writeFileSync(join(directory, "catalog/kettle.json"), bom + lines);
  writeFileSync(join(directory, "catalog/spoon.yaml"), `${bom}schema: olm.package\nname: Spoon\n`);
}
