import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const link = (from, to) => symlinkSync(to, join(directory, from));
  link("catalog/readme.json", "../elsewhere/credentials.yaml");
  link("catalog/more", "../elsewhere");
  link("catalog/.indexignore", "../elsewhere/credentials.yaml");
  link("given", "catalog");
  mkdirSync(join(directory, "bundle"));
  link("bundle/manifests", "../elsewhere");
  // As a ConfigMap is mounted.
  mkdirSync(join(directory, "catalog", "..2026"));
  writeFileSync(
    join(directory, "catalog/..2026/kettle.jsonl"),
    '{"schema": "olm.package", "name": "kettle", "defaultChannel": "stable"}\n',
  );
  link("catalog/..data", "..2026");
  link("catalog/kettle.jsonl", "..data/kettle.jsonl");
}
