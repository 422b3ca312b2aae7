// A directory with a link that leads nowhere.
import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

export default function prepare(directory) {
  mkdirSync(join(directory, "linked"));
  copyFileSync(join(directory, "hub.yaml"), join(directory, "linked", "hub.yaml"));
  symlinkSync("nowhere", join(directory, "linked", "more.yaml"));
}
