import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const text = readFileSync(join(directory, "with-lf.yaml"), "utf8");
  writeFileSync(join(directory, "catalog.yaml"), text.replaceAll("\n", "\r\n"));
}
