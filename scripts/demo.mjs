// What does plimsoll do? Runs its main job on the bundled example and shows each command before its output.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const catalogs = "--catalog harbour=examples/harbour/catalog --catalog partner=examples/harbour/partner-catalog";
const story = [
  ["Two catalogs of a shipping company: what is in them?", `show ${catalogs}`],
  ["One operator, and what it needs:", `show ${catalogs} sextant`],
  ["How does it upgrade?", `show ${catalogs} sextant/stable`],
  ["Are the catalogs sound?", `lint ${catalogs}`],
];

for (const [question, command] of story) {
  console.log(`\n# ${question}\n$ plimsoll ${command}\n`);
  const { status } = spawnSync(process.execPath, ["dist/bin/plimsoll.js", ...command.split(" ")], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 70);
}
