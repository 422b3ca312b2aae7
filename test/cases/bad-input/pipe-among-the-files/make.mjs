import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  mkdirSync(join(directory, "objects"));
  const names = ["catalog/.indexignore", "catalog/pipe", "objects/pipe.yaml", "objects/pipe.txt"];
  execFileSync("mkfifo", names, { cwd: directory });
}
