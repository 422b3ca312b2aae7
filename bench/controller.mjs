// How fast is the placement controller, compared with OCM's own one on the same API server and the same objects? By hand, because it
// takes more than half an hour, most of it for loading objects and for OCM:
//   node bench/controller.mjs [placements] [clusters] [steady] [large] [--quick] [--limit MINUTES]
//     --only NAME       only plimsoll, or only ocm
//     --dist FOLDER     another build of ours
//     --profile FOLDER  profiles of CPU time of our threads
//     --cgroup FOLDER   ours in a cgroup, for example one that limits its memory as a pod does
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { contestantsOf } from "./controller/contestants.mjs";
import { fromNothing } from "./controller/from-nothing.mjs";
import { startHub } from "./controller/hub.mjs";
import { readLarge } from "./controller/large.mjs";
import { placementOfAll, placementOfShard } from "./controller/objects.mjs";
import { compared, count, milliseconds, printMarkdown, seconds } from "./controller/report.mjs";
import { quantileOf } from "./controller/steady.mjs";
import { changesAndHeartbeats } from "./controller/steady-phase.mjs";
import { calibrate, mb, ms } from "./measure.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    limit: { type: "string", default: "30" },
    only: { type: "string" },
    dist: { type: "string" },
    profile: { type: "string" },
    cgroup: { type: "string" },
  },
});
const { quick } = values;
const limit = Number(values.limit) * 60_000;
const scenarios = {
  placements: () => benchFromNothing(quick ? { placements: 100, clusters: 200 } : { placements: 1000, clusters: 1000 }),
  clusters: () => benchFromNothing(quick ? { placements: 20, clusters: 1000 } : { placements: 100, clusters: 10_000 }),
  steady: () =>
    benchSteady(
      quick
        ? { clusters: 1000, shards: 20, rate: 50, duration: 20 }
        : { clusters: 10_000, shards: 100, rate: 100, duration: 120 },
    ),
  large: () => benchLarge({ clusters: quick ? 5000 : 50_000 }),
};
const wanted = positionals.length === 0 ? Object.keys(scenarios) : positionals;
const unknown = wanted.filter((name) => !Object.hasOwn(scenarios, name));
if (unknown.length > 0)
  throw new Error(`no scenario: ${unknown.join(", ")}; there are ${Object.keys(scenarios).join(", ")}`);

const folder = mkdtempSync(join(tmpdir(), "plimsoll-bench-controller-"));
const { plimsoll, shipped, unlimited } = await contestantsOf({ ...values, folder });
try {
  for (const name of wanted) await scenarios[name]();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs contestants one after the other on one hub. */
async function onOneHub(filling, contestants, run) {
  const { objects, clusters } = filling;
  console.error(`\n${count(objects.length)} Placements, ${count(clusters)} clusters`);
  const hub = await startHub(folder, filling);
  const results = [];
  try {
    for (const contestant of contestants) {
      const loop = calibrate();
      console.error(`  ${contestant.name} starts (calibration loop ${ms(loop)})`);
      results.push({ ...(await run(hub, contestant)), loop });
      console.error(`  ${contestant.name}: ${JSON.stringify(results.at(-1), shortened)}`);
    }
  } finally {
    await hub.stop();
  }
  return results;
}

/** Raw figures in the progress, without long lists. */
function shortened(_, value) {
  return Array.isArray(value) && value.length > 20 ? `${value.length} values` : value;
}

function those(...contestants) {
  return [plimsoll, ...contestants].filter(
    (one) => values.only === undefined || (one === plimsoll) === (values.only === "plimsoll"),
  );
}

function print(title, contestants, rows) {
  printMarkdown([title, ...contestants.map(({ name }) => name), "target"], rows);
}

/** How noisy it was: the calibration loop before each contestant, and the cores that were busy with something else. */
function noiseRow(results) {
  const texts = results.map(({ loop, otherWork }) => `${ms(loop)}; ${otherWork.toFixed(1)}`);
  return ["calibration loop; cores busy with other work", ...texts, ""];
}

function many(length, make) {
  return Array.from({ length }, (_, index) => make(index));
}

async function benchFromNothing({ placements, clusters }) {
  const contestants = those(shipped, unlimited);
  const filling = { clusters, shards: 100, objects: many(placements, placementOfAll) };
  const results = await onOneHub(filling, contestants, (hub, contestant) =>
    fromNothing(hub, contestant, { placements, clusters, limit }),
  );
  const of = (field, print) => compared(results.map(field), print);
  print(`from nothing: ${count(placements)} Placements, ${count(clusters)} clusters`, contestants, [
    [
      "until everything is written",
      ...of(({ seconds: all }) => all, seconds).map((text, at) =>
        results[at].isDone ? text : `> ${text} (${results[at].done} done)`,
      ),
      "half of OCM's as shipped",
    ],
    ["CPU time of the controller", ...of(({ cpu }) => cpu / 1000, seconds), ""],
    ["CPU time of API server and etcd", ...of(({ serverCpu }) => serverCpu / 1000, seconds), ""],
    ["writes of decisions, of statuses, of events; refused", ...results.map(({ writes }) => writesText(writes)), ""],
    ["memory at its peak", ...of(({ memory }) => memory.peak, mb), ""],
    ["event loops: delay", ...results.map(({ delays }) => delaysText(delays)), ""],
    noiseRow(results),
  ]);
}

function writesText({ placementdecisions, placements, events, refused }) {
  return `${[placementdecisions, placements, events].map(count).join(", ")}; ${count(refused)}`;
}

async function benchSteady({ clusters, shards, rate, duration }) {
  const contestants = those(shipped);
  const filling = { clusters, shards, objects: many(shards, placementOfShard) };
  const results = await onOneHub(filling, contestants, (hub, contestant) =>
    changesAndHeartbeats(hub, contestant, { clusters, shards, rate, seconds: duration, limit }),
  );
  const loads = results.map(({ load }) => load);
  const beats = results.map(({ beat }) => beat);
  const of = (list, field, print) => compared(list.map(field), print);
  const quantile = (part) => (load) => quantileOf(load.latencies, part);
  print(`${rate} changes a second for ${duration} s: ${count(clusters)} clusters, ${shards} Placements`, contestants, [
    [
      "changes a second, as the API server took them",
      ...loads.map(({ changed, loading }) => (changed / loading).toFixed(0)),
      "",
    ],
    ["change to decision, median", ...of(loads, quantile(0.5), milliseconds), ""],
    ["the same, 99th percentile", ...of(loads, quantile(0.99), milliseconds), "< 1 s"],
    ["the same in the best and the median round of ten", ...loads.map(({ rounds }) => roundsText(rounds)), ""],
    ["the same, longest", ...of(loads, quantile(1), milliseconds), ""],
    [
      "undone for changes that were taken back first; never",
      ...loads.map((load) => `${load.superseded}; ${load.pending}`),
      "",
    ],
    ["CPU time of the controller", ...of(loads, ({ cpu }) => cpu / 1000, seconds), ""],
    ["CPU time of API server and etcd", ...of(loads, ({ serverCpu }) => serverCpu / 1000, seconds), ""],
    ["writes of decisions, of statuses, of events; refused", ...loads.map(({ writes }) => writesText(writes)), ""],
    [
      "memory after the first and the last of ten rounds",
      ...loads.map(({ memory }) => `${mb(memory[0])}, ${mb(memory.at(-1))}`),
      "stable",
    ],
    ["event loops: delay", ...loads.map(({ delays }) => delaysText(delays)), "p99 <= 50 ms, longest <= 200 ms"],
    ["pauses for garbage: count, sum, longest (young, all)", ...loads.map(({ pauses }) => garbageText(pauses)), ""],
    noiseRow(results),
  ]);
  print(`a heartbeat of each of ${count(clusters)} clusters`, contestants, [
    ["CPU time of the controller", ...of(beats, ({ cpu }) => cpu / 1000, seconds), ""],
    [
      "until it has nothing left to do",
      ...of(beats, ({ seconds: all }) => all, seconds).map((text, at) => (beats[at].isIdle ? text : `> ${text}`)),
      "",
    ],
    ["evaluations", ...beats.map(({ evaluations }) => count(evaluations)), "0"],
    ["writes of decisions, of statuses, of events; refused", ...beats.map(({ writes }) => writesText(writes)), "0"],
  ]);
}

function roundsText(rounds) {
  const sorted = rounds.toSorted((a, b) => a - b);
  return `${milliseconds(sorted[0])}, ${milliseconds(quantileOf(sorted, 0.5))}`;
}

function delaysText(delays) {
  const texts = Object.entries(delays).map(([thread, quantiles]) => {
    const each = Object.entries(quantiles).map(([quantile, value]) => `${quantile}: ${milliseconds(value)}`);
    return `${thread} ${each.join(", ")}`;
  });
  return texts.join("; ");
}

function garbageText({ count: all, total, scavenge, full }) {
  return all === 0 ? "" : `${count(all)}, ${milliseconds(total)}, ${milliseconds(scavenge)}, ${milliseconds(full)}`;
}

async function benchLarge({ clusters }) {
  const contestants = those(shipped);
  const filling = { clusters, shards: 100, objects: [placementOfAll(0)], memory: "10GiB" };
  const results = await onOneHub(filling, contestants, (hub, contestant) =>
    readLarge(hub, contestant, { clusters, limit }),
  );
  const of = (field, print) => compared(results.map(field), print);
  print(`${count(clusters)} clusters, one Placement that selects all`, contestants, [
    ["synced", ...of(({ synced }) => synced, seconds), ""],
    ["until everything is written", ...of(({ seconds: all }) => all, seconds), ""],
    ["CPU time of the controller", ...of(({ cpu }) => cpu / 1000, seconds), ""],
    ["CPU time of API server and etcd", ...of(({ serverCpu }) => serverCpu / 1000, seconds), ""],
    ["memory when synced", ...of(({ memoryWhenSynced }) => memoryWhenSynced?.now, mb), ""],
    ["its peak until then", ...of(({ memoryWhenSynced }) => memoryWhenSynced?.peak, mb), "< 600 MB"],
    ["event loops: delay", ...results.map(({ delays }) => delaysText(delays)), "p99 <= 50 ms"],
    [
      "memory at the end, 15 s later, at its peak",
      ...results.map(({ memory, later }) => [memory.now, later, memory.peak].map(mb).join(", ")),
      "",
    ],
    noiseRow(results),
  ]);
}
