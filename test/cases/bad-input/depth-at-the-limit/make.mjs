import { writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const write = (name, text) => writeFileSync(join(directory, "catalog", name), text);
  const lists = (depth) => "[".repeat(depth) + "]".repeat(depth);
  write("a-511-inside.json", `{"schema": "acme.deep", "lists": ${lists(511)}}\n`);
  write("b-512-inside.json", `{"schema": "acme.deep", "lists": ${lists(512)}}\n`);
  write("c-511-inside.yaml", `schema: acme.deep\nlists: ${lists(511)}\n`);
  write("d-512-inside.yaml", `schema: acme.deep\nlists: ${lists(512)}\n`);
}
