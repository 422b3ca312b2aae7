import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  symlinkSync("nowhere.yaml", join(directory, "catalog/kettle.yaml"));
  mkdirSync(join(directory, "catalog/teapot.yaml"));
  mkdirSync(join(directory, "catalog/.indexignore"));
  symlinkSync("nowhere.yaml", join(directory, "objects/gone.yaml"));
}
