// How fast is a checkout of a community repository read, as bundle directories, straight from the disk? The command in a
// process of its own, on a tree of 6,000 bundles; beside it the least that any reader must do: reading every file.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeTree } from "./community/tree.mjs";
import { calibrate, line, mb, median, ms } from "./measure.mjs";
import { DIST } from "./modules.mjs";

/** For 6,000 bundles, in milliseconds. */
const TARGET = 10_000;
const USAGE = new URL("community/usage.mjs", import.meta.url).href;
const PACKAGES = ["operator-001", "operator-010", "operator-100"];

/** Measures `show` and `resolve` on a tree. */
export function benchCommunity({ cache, quick, dist = DIST }) {
  const bundles = quick ? 600 : 6_000;
  const tree = join(cache, `community-${bundles}`);
  makeTree(tree, bundles);
  const read = timed(() => readAll(tree));
  console.log(`\nA checkout of a community repository: ${bundles.toLocaleString("en-US")} bundles`);
  line("reading every file, nothing else", ms(read.time), `${read.value.files} files, ${mb(read.value.bytes)}`);
  for (const [command, ...asked] of [["show"], ["resolve", ...PACKAGES.slice(0, quick ? 2 : 3)]]) {
    const args = [command, "--catalog", tree, ...asked];
    const runs = Array.from({ length: 3 }, () => ({ calibration: calibrate(), ...once(dist, args) }));
    const of = (what) => median(runs.map((run) => run[what]));
    const loops = runs.map(({ calibration }) => calibration.toFixed(0)).join(", ");
    console.log(`  ${command} (exit ${runs[0].status}, calibration loop ${loops} ms)`);
    line("  wall time, median of 3", ms(of("wall")), quick ? "" : `<= ${TARGET} ms on a quiet machine`);
    line("  CPU time, median", ms(of("cpu")));
    if (runs[0].main !== undefined) line("  that of the main thread, median", ms(of("main")));
    line("  peak of memory", mb(Math.max(...runs.map(({ memory }) => memory))));
  }
}

/** Writes the tree, unless it is there: under another name first, so that half of one is never measured. */
function makeTree(tree, bundles) {
  if (existsSync(tree)) return;
  mkdirSync(tree, { recursive: true });
  const draft = `${tree}.draft`;
  rmSync(draft, { recursive: true, force: true });
  writeTree(draft, bundles);
  rmSync(tree, { recursive: true });
  renameSync(draft, tree);
}

function readAll(directory) {
  const found = { files: 0, bytes: 0 };
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    found.files++;
    found.bytes += readFileSync(join(entry.parentPath, entry.name)).length;
  }
  return found;
}

function timed(run) {
  const start = performance.now();
  const value = run();
  return { value, time: performance.now() - start };
}

/** A run of the command, and what it used. */
function once(dist, args) {
  const command = ["--import", USAGE, join(dist, "bin/plimsoll.js"), ...args];
  const stdio = ["ignore", "ignore", "ignore", "pipe"];
  const { value, time } = timed(() => spawnSync(process.execPath, command, { stdio }));
  return { status: value.status, wall: time, ...JSON.parse(value.output[3].toString()) };
}
