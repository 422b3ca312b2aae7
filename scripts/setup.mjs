// What must be there before a command of package.json can run? Installs the dependencies and builds `dist/`, each only
// when something changed since the last time, and only one process at a time. Uses nothing but Node, so it works in a
// fresh clone.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { takeLock } from "./lock.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`plimsoll needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** A digest of the content of files and of all files below directories. */
function digest(paths) {
  const hash = createHash("sha256");
  const visit = (path, isDirectory) => {
    if (isDirectory) {
      const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const entry of entries) visit(join(path, entry.name), entry.isDirectory());
    } else hash.update(path).update("\0").update(readFileSync(path)).update("\0");
  };
  for (const path of paths) visit(path, path === "src");
  return hash.digest("hex");
}

/** Whether `stamp` says that the work was done for the same `inputs`. */
function isDone({ stamp, inputs }) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === digest(inputs);
}

/** Does the work of a step, unless it is done. Until it is done again nothing says that it was. */
function once(step) {
  const { stamp, inputs, what, work } = step;
  if (isDone(step)) return;
  console.error(`plimsoll: ${what}…`);
  const wanted = digest(inputs);
  rmSync(stamp, { force: true });
  work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

function run(command, args) {
  const result = spawnSync(command, args, { stdio: ["ignore", 2, 2], shell: process.platform === "win32" });
  if (result.status !== 0) {
    console.error(`plimsoll: "${command} ${args.join(" ")}" failed; its output is above.`);
    process.exit(1);
  }
}

/** No setup takes this long. */
const STALE_MS = 15 * 60_000;

const steps = [
  {
    stamp: "node_modules/.plimsoll-installed",
    inputs: ["package-lock.json", "package.json"],
    what: "installing dependencies",
    work: () => run("npm", ["ci", "--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error"]),
  },
  {
    stamp: "dist/.plimsoll-built",
    inputs: [
      "src",
      "scripts/build.mjs",
      "scripts/build-command.mjs",
      "scripts/build-library.mjs",
      "scripts/notices.mjs",
      "tsconfig.json",
      "tsconfig.build.json",
      "package-lock.json",
    ],
    what: "building",
    work: () => run(process.execPath, ["scripts/build.mjs"]),
  },
];

if (!steps.every(isDone)) {
  await takeLock({
    path: ".plimsoll-setup.lock",
    staleMs: STALE_MS,
    waiting: (pid) => console.error(`plimsoll: waiting for another set-up here (process ${pid})…`),
  });
  for (const step of steps) once(step);
}
