import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const deep = 10_000;
  const write = (name, text) => writeFileSync(join(directory, "catalog", name), text);
  write("flow.yaml", `schema: acme.deep\nlists: ${"[".repeat(deep)}${"]".repeat(deep)}\n`);
  write("block.yaml", `schema: acme.deep\nlists:\n  ${"- ".repeat(deep)}x\n`);
  write("deep.json", `{"schema": "acme.deep", "lists": ${"[".repeat(deep)}${"]".repeat(deep)}}\n`);
  write("open.json", `{"schema": "acme.deep", "lists": ${"[".repeat(deep)}\n`);
  write("objects.json", `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}\n`);
}
