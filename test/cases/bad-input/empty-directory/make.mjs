import { mkdirSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  mkdirSync(join(directory, "empty"));
}
