// What must be there before a command of package.json can run? Installs the dependencies and builds `dist/`, each only
// when something changed since the last time, and only one process at a time. Uses nothing but Node, so it works in a
// fresh clone.
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

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

// The lock is a directory with one file in it, whose name says who has it. It gets its name by a renaming, which fails
// while another such directory is not empty: so it comes with its owner, and only one process can have it. A file of a
// dead owner can be removed by any process, since no living owner has a file of that name.
const LOCK = ".plimsoll-setup.lock";
/** No setup takes this long; the id of a dead process may have been reused by now. */
const STALE_MS = 15 * 60_000;

const HOST = hostname().replace(/[^A-Za-z0-9.-]/g, "_");

/** Waits until no other process sets up here. The lock is given back when this process ends. */
async function lock() {
  const owner = `${process.pid}@${HOST}@${randomUUID()}`;
  const own = `${LOCK}.${process.pid}`;
  process.on("exit", () => {
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(join(LOCK, owner))) return;
    rmSync(join(LOCK, owner), { force: true });
    removeIfEmpty();
  });
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  writeFileSync(join(own, owner), "");
  for (let isTold = false; !take(own); ) {
    const others = ownersOfLock();
    for (const one of others) if (isGone(one)) rmSync(join(LOCK, one), { force: true });
    if (removeIfEmpty()) continue;
    const [other] = others;
    if (other !== undefined && !isTold) {
      console.error(`plimsoll: waiting for another set-up here (process ${other.split("@")[0]})…`);
      isTold = true;
    }
    await setTimeout(200);
  }
}

/** Gives the lock to this process, unless another has it. */
function take(own) {
  try {
    renameSync(own, LOCK);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(error.code)) return false;
    throw error;
  }
}

function ownersOfLock() {
  try {
    return readdirSync(LOCK);
  } catch {
    return [];
  }
}

/** Whether an owner of the lock is dead, or as good as that. */
function isGone(owner) {
  const [pid, host] = owner.split("@");
  try {
    if (Date.now() - statSync(join(LOCK, owner)).mtimeMs > STALE_MS) return true;
    if (host !== HOST) return false;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH" || error.code === "ENOENT";
  }
}

function removeIfEmpty() {
  try {
    rmdirSync(LOCK);
    return true;
  } catch (error) {
    return error.code === "ENOENT";
  }
}

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
      "tsconfig.json",
      "tsconfig.build.json",
      "package-lock.json",
    ],
    what: "building",
    work: () => run(process.execPath, ["scripts/build.mjs"]),
  },
];

if (!steps.every(isDone)) {
  await lock();
  for (const step of steps) once(step);
}
