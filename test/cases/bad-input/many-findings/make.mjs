import { symlinkSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  for (let number = 100; number <= 202; number++) symlinkSync("nowhere", join(directory, "catalog", String(number)));
}
