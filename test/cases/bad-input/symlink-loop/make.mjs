import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

export default function make(directory) {
  const inside = (name) => join(directory, "catalog", name);
  symlinkSync("self.yaml", inside("self.yaml"));
  symlinkSync("pong.yaml", inside("ping.yaml"));
  symlinkSync("ping.yaml", inside("pong.yaml"));
  mkdirSync(inside("below"));
  symlinkSync("../../catalog", inside("below/again"));
}
