// A repository cannot contain another one's .git.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  mkdirSync(join(directory, "repo/.git"));
  writeFileSync(join(directory, "repo/.git/config.yaml"), "schema: olm.package\nname: nothing\n");
}
