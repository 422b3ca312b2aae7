// How fast is a namespace resolved, compared with OLM's own solver on the same instances? CPU time, process warm, index
// built; solving, proof and check of the answer included.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { calibrate, line, median, ms } from "./measure.mjs";
import { DIST } from "./modules.mjs";
import { BOUNDED } from "./resolve/bounded.mjs";
import { violations } from "./resolve/check-variables.mjs";
import { benchCold } from "./resolve/cold.mjs";
import { cpuOf, warmCpuOf } from "./resolve/cpu.mjs";
import { denseProblem } from "./resolve/dense.mjs";
import { benchNamespaces } from "./resolve/namespaces.mjs";
import { olmSolver, olmVersion } from "./resolve/olm-solver.mjs";
import { olmVariables } from "./resolve/olm-variables.mjs";
import { plimsoll } from "./resolve/plimsoll.mjs";
import { realisticProblem } from "./resolve/realistic.mjs";
import { OLM_HEADER, OUR_HEADER, olmCells, ourCells, printTable, ratio } from "./resolve/table.mjs";
import { benchTiny } from "./resolve/tiny.mjs";

/** In milliseconds. */
const TARGETS = { 10000: 2, 50000: 5, again: 2, dense: 300, denseWorst: 3_000, proof: 10_000 };

/** Solves before the first measured one: by then V8 has compiled the hot code. */
const WARM_UP = 400;

export async function benchResolve({ data, dist, quick, cache }) {
  const built = dist ?? DIST;
  const { library, options, resolver } = await plimsoll(built);
  const olm = olmSolver(quick ? 10 : 60);
  const bench = { library, options, resolver, olm, data, dist: built, quick, cache };
  console.log(`\nResolving, CPU time (calibration loop ${ms(calibrate())})`);
  if (resolver === undefined) console.log("  skipped: our own resolver (this build has none)");
  if (olm === undefined) console.log("  skipped: OLM's solver (Go is not there, or its program did not build)");
  else console.log(`  compared with the solver of OLM ${olmVersion}, stopped after ${olm.seconds} s of CPU time`);
  try {
    if (data === undefined) console.log("  (no --data FOLDER: only the instances that are made to be hard)");
    else {
      await realistic(bench, 10_000);
      await realistic(bench, 50_000);
      await dense(bench, "satisfiable", { satisfiable: true, seeds: range(11, quick ? 13 : 30) });
      const strict = { satisfiable: true, asRanges: true, seeds: range(11, quick ? 11 : 13) };
      await dense(bench, "satisfiable, ranges instead of installed operators", strict);
      await dense(bench, "unsatisfiable", { satisfiable: false, seeds: range(1, quick ? 1 : 3) });
      benchCold(bench);
      knownWrong(bench);
    }
    bounded(bench);
    benchTiny(bench);
    benchNamespaces(bench);
  } finally {
    olm?.close();
  }
}

/** A real catalog, scaled up; then the same with one subscription less or more. */
async function realistic(bench, bundles) {
  const seeds = range(1, bench.quick ? 2 : 5);
  console.log(`\n  ${bundles.toLocaleString("en-US")} bundles, 30 subscriptions (calibration loop ${ms(calibrate())})`);
  const rows = [];
  const times = [];
  const whole = [];
  const again = { less: [], more: [] };
  for (const seed of seeds) {
    const { problem, further } = await realisticProblem({ ...bench, bundles, seed });
    const { ours, cells } = compareOn(bench, problem, { samples: bench.quick ? 41 : 101, warmUp: WARM_UP });
    rows.push([`seed ${seed}`, ...cells]);
    if (ours === undefined) continue;
    times.push(ours.cpu);
    whole.push(cpuOf(() => bench.resolver.resolveProblem(problem)).cpu);
    solveAgain(bench.resolver, problem, further, again);
  }
  printTable(["", ...OUR_HEADER, ...OLM_HEADER, "variables", "OLM / plimsoll"], rows);
  if (times.length === 0) return;
  line("  median of the seeds", ms(median(times)), `<= ${TARGETS[bundles]} ms`);
  line("  the same with building the index, median", ms(median(whole)));
  line("  again after one subscription went, median", ms(median(again.less)), `<= ${TARGETS.again} ms`);
  line("  again after one subscription came, median", ms(median(again.more)), `<= ${TARGETS.again} ms`);
}

/** Each time from the same state: a kept resolver that has just answered the whole problem. */
function solveAgain({ makeResolver }, problem, further, { less, more }) {
  const kept = makeResolver(problem);
  for (let sample = 0; sample < WARM_UP / 4; sample++)
    kept.resolve({ ...problem, requests: problem.requests.slice(sample % 2) });
  const measure = (requests) => {
    kept.resolve(problem);
    return cpuOf(() => kept.resolve({ ...problem, requests })).cpu;
  };
  for (const [index, request] of further.entries()) {
    less.push(measure(problem.requests.toSpliced(index, 1)));
    more.push(measure([...problem.requests, request].toSorted((a, b) => (a.id < b.id ? -1 : 1))));
  }
}

/** 50,000 bundles that are tied to each other; first any valid answer, then the best one. */
async function dense(bench, name, { satisfiable, asRanges, seeds }) {
  console.log(`\n  dense, 50,000 bundles, 20 subscriptions, ${name} (calibration loop ${ms(calibrate())})`);
  const rows = [];
  const first = [];
  const proofs = [];
  for (const seed of seeds) {
    const { problem, requests } = await denseProblem({ ...bench, seed, satisfiable, asRanges });
    const { ours, cells } = compareOn(bench, problem, { samples: 1, warmUp: seed === seeds[0] ? 1 : 0 }, requests);
    const answer = ours && firstAnswerOn(bench.resolver, problem);
    rows.push([`seed ${seed}`, answer === undefined ? "" : firstCell(answer), ...cells]);
    if (ours === undefined) continue;
    first.push(answer);
    proofs.push(ours.result.proven && ours.cpu <= TARGETS.proof);
  }
  printTable(["", "first answer", ...OUR_HEADER, ...OLM_HEADER, "variables", "OLM / plimsoll"], rows);
  if (first.length === 0 || !satisfiable) return;
  const times = first.map(({ cpu }) => cpu);
  const resolved = first.filter(({ result }) => result.outcome === "Resolved").length;
  line("  a first answer with every subscription", `${resolved} of ${first.length}`, `${first.length}`);
  line("  its time, median of the seeds", ms(median(times)), `<= ${TARGETS.dense} ms`);
  line("  its time, slowest seed", ms(Math.max(...times)), `<= ${TARGETS.denseWorst} ms`);
  const proven = proofs.filter(Boolean).length;
  line("  everything proven within 10 s", `${proven} of ${proofs.length}`, `>= ${Math.ceil(proofs.length / 2)}`);
}

function firstAnswerOn({ makeResolver, firstAnswer }, problem) {
  const asked = firstAnswer(problem);
  return warmCpuOf(
    () => {
      const resolver = makeResolver(asked);
      return () => resolver.resolve(asked);
    },
    { samples: 3, warmUp: 0 },
  );
}

const firstCell = ({ cpu, result }) => (result.outcome === "Resolved" ? ms(cpu) : `${ms(cpu)} ${result.outcome}`);

/** Ours and OLM's answer to one problem, and the cells of its row; OLM's solver gets the requests in the order given. */
function compareOn({ library, resolver, olm }, problem, repetitions, requests = problem.requests) {
  const ours =
    resolver &&
    warmCpuOf(() => {
      const fresh = resolver.makeResolver(problem);
      return () => fresh.resolve(problem);
    }, repetitions);
  const asked = olmVariables({ ...problem, requests }, library);
  const check = ours && asked && violations(asked.variables, asked.selectionOf(ours.result));
  const theirs = asked && olm?.solve(asked.variables, 3);
  const size = asked === undefined ? "unknown" : String(asked.variables.length);
  const cells = [...ourCells(ours, check), ...olmCells(theirs, olm?.seconds), size, ratio(ours, theirs, olm?.seconds)];
  return { ours, cells };
}

/** The problem of fifteen variables that OLM's solver is known to answer wrongly. */
function knownWrong({ data, olm }) {
  const path = join(data, "olm-unsound-min.json");
  if (olm === undefined || !existsSync(path)) return;
  const { vars } = JSON.parse(readFileSync(path, "utf8"));
  const answered = olm.solve(vars, 40);
  console.log("\n  a problem of 15 variables that has an answer, to OLM's solver");
  if (answered.kind === "answered") line("  wrong answers", `${answered.wrong} of ${answered.runs}`);
  for (const text of (answered.violations ?? []).slice(0, 3)) console.log(`      ${text}`);
}

/** What must end: time and outcome. The first time is that of a cold process without an index. */
function bounded(bench) {
  console.log(`\n  made to be hard (calibration loop ${ms(calibrate())})`);
  const rows = BOUNDED.map(({ name, make, repetitions }) => {
    const problem = make(bench);
    const first = bench.resolver && cpuOf(() => bench.resolver.resolveProblem(problem)).cpu;
    const { cells } = compareOn(bench, problem, repetitions);
    return [name, first === undefined ? "" : ms(first), ...cells];
  });
  printTable(["", "first time", ...OUR_HEADER, ...OLM_HEADER, "variables", "OLM / plimsoll"], rows);
  if (bench.resolver !== undefined) line("  peak memory of this process", `${peakMegabytes()} MB`);
}

const peakMegabytes = () => (process.resourceUsage().maxRSS / 1024).toFixed(0);
const range = (first, last) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
