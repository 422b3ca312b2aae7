import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  // é in Latin-1
  const latin = Buffer.from("schema: olm.package\nname: teapot\ndescription: th\xe9 et caf\xe9\ndefaultChannel: stable\n", "latin1");
  const kettle = readFileSync(join(directory, "kettle.yaml"));
  writeFileSync(join(directory, "catalog/teapot.yaml"), Buffer.concat([latin, Buffer.from("---\n"), kettle]));
  const line = Buffer.from('{"schema": "olm.package", "name": "spoon", "description": "th\xe9"}\n', "latin1");
  const good = Buffer.from('{"schema": "acme.note", "text": "good"}\n');
  writeFileSync(join(directory, "catalog/spoon.jsonl"), Buffer.concat([good, line, good]));
}
