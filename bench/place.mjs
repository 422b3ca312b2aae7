// How fast are placements? CPU time on generated fleets of up to 100,000 clusters: all of them at once, and one change at a
// time; beside OCM's own scheduler on the same objects.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { calibrate, line, mb, median, ms } from "./measure.mjs";
import { DIST, libraryOf } from "./modules.mjs";
import { benchChanges } from "./place/changes.mjs";
import { fleetMaker, NOW, nowOf, readManifests } from "./place/fleet.mjs";
import { writeLines } from "./place/lines.mjs";
import { benchReports } from "./place/memory.mjs";
import { ocmScheduler, ocmVersion } from "./place/ocm.mjs";
import { COMPARED, many, usual } from "./place/placements.mjs";
import { cpuOf } from "./resolve/cpu.mjs";
import { printTable } from "./resolve/table.mjs";

const CLUSTERS = 100_000;
const STEPS = [10_000, 20_000, 50_000, 100_000];

/** In a process of its own: how much memory do placements take beyond their input? */
if (process.argv[2] === "--memory") {
  const [, , , data, dist, clusters, placements] = process.argv;
  const library = await libraryOf(dist);
  const make = await fleetMaker(data);
  const asked = Number(placements) === 1 ? [usual("usual")] : many(Number(placements));
  const objects = readManifests(library, [...make(Number(clusters)), ...asked]);
  globalThis.gc();
  forgetPeak();
  const before = process.memoryUsage();
  const engine = new library.PlacementEngine(objects, { now: nowOf(library) });
  const result = engine.keys().map((key) => engine.result(key));
  const peak = process.resourceUsage().maxRSS * 1024 - before.rss;
  globalThis.gc();
  const after = process.memoryUsage();
  const kept = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  // Whatever is named here was not collected.
  const counts = [objects.managedClusters.length, engine.keys().length, result.length];
  console.log(JSON.stringify({ kept, peak, counts }));
  process.exit();
}

/** From now on the peak of memory is that of what follows; only Linux can do that. */
function forgetPeak() {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // The peak then includes making the fleet, and the growth is reported as smaller than it is.
  }
}

export async function benchPlace({ data, dist: given, quick, cache }) {
  console.log(`\nPlacing, CPU time (calibration loop ${ms(calibrate())})`);
  const dist = given ?? DIST;
  const library = await libraryOf(dist);
  if (library.PlacementEngine === undefined) return console.log("  skipped: this build does not place");
  const make = await fleetMaker(data);
  if (make === undefined) return console.log("  skipped: no --data FOLDER with tool/gen-fleet.mjs");
  const bench = { library, make, data, dist, quick, cache };
  linear(bench);
  memory(bench, CLUSTERS, 1, "target: < 400 MB");
  benchChanges(library, make(quick ? 10_000 : CLUSTERS));
  manyPlacements(bench);
  cold(bench);
  await benchReports(bench);
  sideBySide(bench);
}

/** A full run: a new engine and its answer. */
function place(library, objects, mode) {
  const engine = new library.PlacementEngine(objects, { now: nowOf(library), ...(mode && { mode }) });
  return engine.keys().map((key) => engine.result(key));
}

/** The first run is that of a cold engine; then the median of some. */
function timed(run, samples) {
  const first = cpuOf(run);
  const times = Array.from({ length: samples }, () => cpuOf(run).cpu);
  return { first: first.cpu, warm: times.length === 0 ? first.cpu : median(times), result: first.result };
}

function linear({ library, make, quick }) {
  const rows = STEPS.filter((count) => !quick || count <= 20_000).map((count) => {
    const objects = readManifests(library, [...make(count), usual("usual")]);
    const { first, warm, result } = timed(() => place(library, objects), 4);
    const perCluster = `${((warm * 1000) / count).toFixed(2)} µs`;
    return [count.toLocaleString("en-US"), ms(first), ms(warm), perCluster, String(result[0].tally.selected)];
  });
  console.log("\n  a label, a claim, two expressions, two prioritizers; target for 100,000 clusters: < 1,500 ms");
  printTable(["clusters", "first", "warm", "per cluster", "selected"], rows);
  line("\n  calibration loop", ms(calibrate()));
}

function memory({ data, dist }, clusters, placements, target) {
  const args = ["--expose-gc", "--max-old-space-size=6000", fileURLToPath(import.meta.url), "--memory"];
  const ran = spawnSync(process.execPath, [...args, data, dist, String(clusters), String(placements)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", 2],
  });
  if (ran.status !== 0) {
    line("  memory beyond the input", "failed");
    return;
  }
  const { kept, peak } = JSON.parse(ran.stdout);
  line("  memory beyond the input: kept, and at its peak", `${mb(kept)}, ${mb(peak)}`, target);
}

function manyPlacements({ library, make, quick, data, dist }) {
  const [placements, clusters] = quick ? [100, 10_000] : [1_000, 10_000];
  console.log(`\n  ${placements} different placements, ${clusters} clusters`);
  const objects = readManifests(library, [...make(clusters), ...many(placements)]);
  const { cpu, result } = cpuOf(() => place(library, objects));
  const selected = result.reduce((sum, one) => sum + one.tally.selected, 0);
  line("  first answers", ms(cpu), `target for 1,000: < 60,000 ms; ${selected} decisions`);
  memory({ data, dist }, clusters, placements, "");
}

/** The command in a process of its own, from a file of JSON lines. */
function cold({ make, dist, cache }) {
  const program = join(dist, "bin", "plimsoll.js");
  if (!existsSync(program)) return console.log("\n  skipped: the command (it is not built)");
  mkdirSync(cache, { recursive: true });
  const file = join(cache, "fleet-10000.jsonl");
  writeLines(file, [...make(10_000), usual("usual", 100)]);
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    const ran = spawnSync(process.execPath, [program, "place", "-f", file, "--now", NOW], {
      stdio: ["ignore", "ignore", 2],
    });
    return ran.status === 0 ? performance.now() - start : undefined;
  });
  if (times.includes(undefined)) return console.log("\n  skipped: the command (it failed)");
  line("\n  plimsoll place, 10,000 clusters, from cold", ms(median(times)), "target: < 2,000 ms");
}

/** One Placement after the other, each with an engine of its own, as OCM starts from scratch each time. */
function sideBySide({ library, make, quick }) {
  const ocm = ocmScheduler();
  if (ocm === undefined)
    return console.log("\n  skipped: OCM's scheduler (Go is not there, or its program did not build)");
  try {
    for (const count of quick ? [1_000] : [1_000, 10_000, CLUSTERS]) {
      console.log(`\n  ${count} clusters, beside OCM ${ocmVersion} (calibration loop ${ms(calibrate())})`);
      const manifests = make(count);
      const theirs = ocm.measure([...manifests, ...COMPARED]);
      if (theirs === undefined) return console.log("  skipped: OCM's scheduler failed");
      const rows = COMPARED.map((placement) => {
        const objects = readManifests(library, [...manifests, placement]);
        const { warm, result } = timed(() => place(library, objects, library.OCM_MODE), count > 10_000 ? 2 : 9);
        const { cpuMs, wallMs, selected } = theirs.get(`${placement.metadata.namespace}/${placement.metadata.name}`);
        const same = selected === result[0].tally.selected ? "" : "NOT THE SAME";
        const times = cpuMs / warm;
        const cells = [
          ms(warm),
          ms(cpuMs),
          ms(wallMs),
          `${times.toFixed(times < 10 ? 1 : 0)} x`,
          String(selected),
          same,
        ];
        return [placement.metadata.name, ...cells];
      });
      printTable(["", "plimsoll", "OCM", "OCM, wall", "OCM / plimsoll", "selected", ""], rows);
    }
  } finally {
    ocm.close();
  }
}
