// How fast is a whole plan, from the oldest entries of all channels to the newest state? CPU time, process warm. No peer
// makes plans; for comparison, OLM's own solver is run once for each generation.
import { join } from "node:path";
import { calibrate, line, median, ms } from "./measure.mjs";
import { DIST } from "./modules.mjs";
import { problemsOn } from "./plan/replayed.mjs";
import { everything, STORIES } from "./plan/stories.mjs";
import { cpuOf, warmCpuOf } from "./resolve/cpu.mjs";
import { olmSolver, olmVersion } from "./resolve/olm-solver.mjs";
import { olmVariables } from "./resolve/olm-variables.mjs";
import { plimsoll } from "./resolve/plimsoll.mjs";
import { loadedCatalog, scaledCatalog } from "./resolve/realistic.mjs";
import { printTable } from "./resolve/table.mjs";

/** In milliseconds. */
const TARGET = 2_000;
const BUNDLES = 50_000;

const OUR_HEADER = ["first", "warm", "read", "lock", "generations", "steps", "joint", "changes", "held back", "end"];
const OLM_HEADER = ["OLM", "asked", "OLM / plimsoll"];

export async function benchPlan({ data, dist, quick, cache }) {
  console.log(`\nPlanning, CPU time (calibration loop ${ms(calibrate())})`);
  if (data === undefined) return console.log("  skipped: no --data FOLDER");
  const { library, options } = await plimsoll(dist ?? DIST);
  if (library.makePlan === undefined) return console.log("  skipped: this build does not plan");
  const olm = olmSolver(quick ? 10 : 60);
  if (olm === undefined) console.log("  skipped: OLM's solver (Go is not there, or its program did not build)");
  else console.log(`  compared with the solver of OLM ${olmVersion}, once a generation, on some of them`);
  const bench = { library, options, data, cache, quick, olm };
  try {
    await scaled(bench);
    await real(bench);
  } finally {
    olm?.close();
  }
}

/** A real catalog, scaled up; several stories for each seed. */
async function scaled(bench) {
  const times = STORIES.map(() => []);
  for (const seed of bench.quick ? [1, 2] : [1, 2, 3, 4, 5]) {
    const catalog = await scaledCatalog(bench.library, bench.data, bench.cache, BUNDLES, seed);
    const size = BUNDLES.toLocaleString("en-US");
    console.log(`\n  ${size} bundles, seed ${seed}, 50 operators (calibration loop ${ms(calibrate())})`);
    const rows = STORIES.map(({ name, make }, index) => {
      const { warm, cells } = measure(bench, name, make({ ...bench, catalog, seed }), { samples: 3, warmUp: 1 });
      times[index].push(warm);
      return cells;
    });
    printTable(["", ...OUR_HEADER, ...OLM_HEADER], rows);
  }
  console.log("\n  warm, median and slowest of the seeds");
  for (const [index, { name, isAim }] of STORIES.entries()) {
    const slowest = ms(Math.max(...times[index]));
    line(`  ${name}`, `${ms(median(times[index]))}, ${slowest}`, isAim ? `<= ${TARGET} ms` : "");
  }
}

/** Everything of the real catalog that gets along. */
async function real(bench) {
  const catalog = await loadedCatalog(bench.library, join(bench.data, "catalog-operatorhub.jsonl.gz"));
  const story = everything({ ...bench, catalog });
  const [{ installed }] = story.problems;
  console.log(
    `\n  the real catalog, ${installed.length} operators in one namespace (calibration loop ${ms(calibrate())})`,
  );
  const { cells } = measure(bench, "everything", story, { samples: 1, warmUp: 0 });
  printTable(["", ...OUR_HEADER, ...OLM_HEADER], [cells]);
}

/** The first run, warm runs, and what comes after a plan was made: reading all of it, and the lock. */
function measure(bench, name, { problems, to }, repetitions) {
  const { makePlan, makeLock, DEFAULT_PLAN_OPTIONS } = bench.library;
  const options = { ...DEFAULT_PLAN_OPTIONS, ...(to !== undefined && { to }) };
  const run = () => makePlan(problems, options);
  const first = cpuOf(run);
  const { cpu: warm, result: plans } = warmCpuOf(() => run, repetitions);
  const whole = () => makePlan(problems, { ...options, actions: "short", explanations: "all" });
  const read = readingOf(plans, whole, warm);
  const lock = makeLock === undefined ? "" : ms(cpuOf(() => lockOf(makeLock, problems, plans)).cpu);
  const numbers = plans.flatMap(({ generations }) => generations.map(({ number }) => number));
  const steps = plans.flatMap(({ generations }) => generations.flatMap((generation) => generation.steps));
  const counts = [
    Math.max(0, ...numbers),
    steps.length,
    steps.filter(({ changes }) => changes.length > 1).length,
    steps.reduce((sum, { changes }) => sum + changes.length, 0),
    plans.reduce((sum, { last }) => sum + last.heldBack.length, 0),
  ];
  const ends = [...new Set(plans.map(({ end, proven }) => (proven ? end : `${end}, not proven`)))].join(", ");
  const times = [ms(first.cpu), ms(warm), ms(read), lock];
  return { warm, cells: [name, ...times, ...counts.map(String), ends, ...olmCells(bench, problems, plans, warm)] };
}

/** A plan is made of problems; builds whose plans had the problem inside took the plans alone. */
function lockOf(makeLock, problems, plans) {
  return makeLock.length === 2 ? makeLock(plans, "bench") : makeLock(problems, plans, "bench");
}

/** What else there is to be found out: actions, and why things are not possible. Earlier builds do so when it is first read. */
function readingOf(plans, makeWhole, warm) {
  const steps = plans.flatMap(({ generations }) => generations.flatMap((generation) => generation.steps));
  const isLazy = steps.length === 0 || "warnings" in steps[0];
  return isLazy ? cpuOf(() => plans.map(readAll)).cpu : Math.max(0, cpuOf(makeWhole).cpu - warm);
}

function readAll({ generations, last }) {
  const actions = generations.flatMap(({ steps }) => steps.flatMap((step) => step.actions));
  const explained = [...last.heldBack, ...last.unsatisfied].map(({ explanation }) => [
    explanation.text,
    explanation.fixes,
  ]);
  return [actions.length, explained.length];
}

/** What OLM's solver takes for all generations, put together from some of them. It cannot plan several namespaces. */
function olmCells({ olm, library, quick }, given, plans, warm) {
  if (olm === undefined || plans.length > 1 || plans[0].generations.length === 0) return ["", "", ""];
  const problems = problemsOn(given[0], plans[0]);
  const asked = spread(problems, quick ? 5 : 10).map((problem) => olmVariables(problem, library));
  const answers = asked.map((variables) => variables && olm.solve(variables.variables, 1));
  const share = `${answers.length} of ${problems.length}`;
  const stopped = answers.filter((answer) => answer?.kind !== "answered").length;
  if (stopped > 0) return [`${stopped} not answered`, share, ""];
  const sum = (answers.reduce((total, { cpu }) => total + cpu, 0) / answers.length) * problems.length;
  return [ms(sum), share, `${(sum / warm).toFixed(1)} x`];
}

/** At most `count` of the items, evenly spread: the middle of each of as many equal parts. */
function spread(items, count) {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[Math.floor(((index + 0.5) * items.length) / count)]);
}
