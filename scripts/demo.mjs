// What does plimsoll do? Resolves and places the bundled example, from one operator to a whole cluster, and shows each
// command before its output.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const harbour = "--catalog harbour=examples/harbour/catalog";
const catalogs = `${harbour} --catalog partner=examples/harbour/partner-catalog,priority=20 --catalog workshop=examples/harbour/bundles,priority=10`;
const now = "2026-11-02T12:00:00Z";
const story = [
  ["An operator, and what comes with it:", `resolve ${harbour} freight-desk -o tree`],
  ["Two operators that cannot live together:", `resolve ${harbour} shore-watch drone-scout`],
  [
    "In which steps can a namespace be updated? Two operators can only move together; nothing is broken at any moment.",
    `plan -n bridge -f examples/harbour/cluster --kube-version 1.31.4 ${catalogs}`,
  ],
  [
    "A fleet of 24 clusters. Onto which of them does a Placement go, and why not onto the others?",
    `place -f examples/harbour/fleet --now ${now} placement4-corrected`,
  ],
  ["One of the others, closely:", `place -f examples/harbour/fleet --now ${now} placement4-corrected --explain genoa`],
  [
    "A cluster of a shipping company, with three catalogs. What can be installed and updated, and what not?",
    `resolve -A -f examples/harbour/cluster --kube-version 1.31.4 ${catalogs}`,
  ],
];

for (const [question, command] of story) {
  console.log(`\n# ${question}\n$ plimsoll ${command}\n`);
  const { status } = spawnSync(process.execPath, ["dist/bin/plimsoll.js", ...command.split(" ")], { stdio: "inherit" });
  // A refusal is an answer.
  if (status !== 0 && status !== 1) process.exit(status ?? 70);
}

console.log(`
# Try next. This makes the command (or: npm link):
alias plimsoll="node $PWD/dist/bin/plimsoll.js"
plimsoll resolve ${harbour} reefer-control
plimsoll explain ${harbour} --add drone-scout shore-watch
plimsoll resolve ${harbour} shore-watch -o json
plimsoll plan -A -f examples/harbour/cluster --kube-version 1.31.4 ${catalogs}
plimsoll place -f examples/harbour/fleet --now ${now} cloud-europe -o matrix
plimsoll show ${harbour} sextant
plimsoll help resolve

More stories are in examples/harbour/README.md, everything about the command in docs/commands/resolve.md.`);
