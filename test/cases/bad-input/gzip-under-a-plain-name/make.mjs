import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export default function make(directory) {
  const text = readFileSync(join(directory, "anchor.yaml.gz"), "utf8");
  writeFileSync(join(directory, "catalog.yaml"), gzipSync(text));
  writeFileSync(join(directory, "catalog/kettle"), gzipSync(text.replaceAll("anchor", "kettle")));
}
