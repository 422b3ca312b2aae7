// How fast are CEL expressions evaluated, compared with the libraries on npm and with cel-go? All engines of this process
// see all expressions and objects, and take turns; rates are per second of CPU time, the best of some samples.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { celGo, celGoVersion } from "./cel/cel-go.mjs";
import { EXPRESSIONS } from "./cel/expressions.mjs";
import { benchImport } from "./cel/import.mjs";
import { libraries, versions } from "./cel/libraries.mjs";
import { bundles, clusters } from "./cel/objects.mjs";
import { plimsoll } from "./cel/plimsoll.mjs";
import { calibrate, line, median, ms } from "./measure.mjs";
import { DIST } from "./modules.mjs";

const OBJECTS = 2_000;
/** Evaluations between two readings of the clock, each of which takes as long as ten of them. */
const BATCH = 500;
const COMPARED = 200;
const SAMPLES = 5;
const FLEET = 100_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

export async function benchCel({ dist, quick }) {
  console.log(`\nEvaluating CEL (calibration loop ${ms(calibrate())})`);
  const ours = await plimsoll(dist ?? DIST);
  const others = await libraries();
  if (others === undefined) console.log("  skipped: the libraries from npm (they could not be installed; see above)");
  else console.log(`  compared with ${versions.join(", ")}`);
  const objects = { bundle: bundles(OBJECTS), placement: clusters(OBJECTS) };
  const engines = [ours, ...(others ?? [])];
  const rows = EXPRESSIONS.map((expression) => ({ expression, entries: entriesOf(expression, engines, objects) }));
  const seconds = quick ? 0.03 : 0.1;
  // Once before and once after the others, because what else the machine does changes.
  const go = celGo(EXPRESSIONS, objects, seconds);
  measure(rows, seconds);
  if (go === undefined) console.log("  skipped: cel-go (Go is not there, or its program did not build)");
  else {
    console.log(`  and with cel-go ${celGoVersion}`);
    takeBetter(go, celGo(EXPRESSIONS, objects, seconds));
  }
  printTable(rows, engines, go);
  compileTimes(rows, engines);
  fleet(engines);
  if (others !== undefined)
    await benchImport(
      dist ?? DIST,
      others.map(({ name }) => name),
    );
}

function takeBetter(results, others) {
  for (const [id, result] of results) {
    const other = others.get(id);
    result.perCpuSecond = Math.max(result.perCpuSecond, other.perCpuSecond);
    result.perCpuSecondWithoutCost = Math.max(result.perCpuSecondWithoutCost, other.perCpuSecondWithoutCost);
  }
}

/** An expression, compiled by each engine that can, with the objects as that engine takes them. */
function entriesOf(expression, engines, objects) {
  return engines.map((engine) => {
    try {
      const program = engine.compile(expression);
      return {
        program,
        objects: objects[expression.env].map((object) => engine.object(object, expression.ints)),
        best: 0,
      };
    } catch (refusal) {
      if (engine === engines[0]) throw refusal;
      return {};
    }
  });
}

function measure(rows, seconds) {
  // A first round, not counted, lets every engine see everything.
  for (let sample = -1; sample < SAMPLES; sample++) {
    for (const { entries } of rows) {
      for (const entry of entries) {
        if (entry.program === undefined) continue;
        const rate = rateOf(entry, seconds);
        if (sample >= 0) entry.best = Math.max(entry.best, rate);
      }
    }
  }
}

/** Evaluations per second of CPU time, all objects in turn. */
function rateOf({ program: { run }, objects }, seconds) {
  const start = process.cpuUsage();
  for (let done = 0, next = 0; ; ) {
    for (let index = next; index < next + BATCH; index++) run(objects[index]);
    done += BATCH;
    next = (next + BATCH) % objects.length;
    const used = cpuSince(start);
    if (used >= seconds) return done / used;
  }
}

function cpuSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function printTable(rows, engines, go) {
  const names = engines.map(({ name }) => name);
  console.log(
    `\n  evaluations per CPU second, ${OBJECTS} objects in turn (✗: other answers than ${go === undefined ? "ours" : "cel-go's"})`,
  );
  const header = ["", "", ...names, "cel-go", "+cost limit", "x npm", "x bufbuild", "x cel-go +limit"];
  const table = [header];
  const ratios = { npm: [], bufbuild: [], go: [] };
  const differences = [];
  let missingKey = Number.NaN;
  for (const { expression, entries } of rows) {
    const [own, ...rest] = entries;
    const compared = go?.get(expression.id);
    const answers = entries.map(({ program, objects }) => program && objects.slice(0, COMPARED).map(program.answer));
    const marks = answers.map((given) => (given && !sameList(given, compared?.answers ?? answers[0]) ? " ✗" : ""));
    if (compared !== undefined) differences.push(...differencesFrom(own, compared));
    const row = [
      own.best / Math.max(...rest.map(({ best }) => best ?? 0)),
      own.best / entries[names.indexOf("@bufbuild/cel")]?.best,
      own.best / compared?.perCpuSecond,
    ];
    ratios.npm.push(row[0]);
    ratios.bufbuild.push(row[1]);
    ratios.go.push(row[2]);
    if (expression.id === "E9") missingKey = row[0];
    table.push([
      expression.id,
      expression.about,
      ...entries.map(({ best }, index) => (best === undefined ? "n/a" : `${rate(best)}${marks[index]}`)),
      rate(compared?.perCpuSecondWithoutCost),
      rate(compared?.perCpuSecond),
      ...row.map(times),
    ]);
  }
  print(table);
  console.log();
  if (rows[0].entries.length > 1) {
    line("geometric mean, fastest npm library of each row", times(geometricMean(ratios.npm)), ">= 3");
    line("geometric mean, @bufbuild/cel", times(geometricMean(ratios.bufbuild)), ">= 10");
    line("missing key (E9), fastest npm library", times(missingKey), ">= 20");
  }
  if (go === undefined) return;
  line("geometric mean, cel-go with cost limit", times(geometricMean(ratios.go)), ">= 15");
  line(`answers and costs as cel-go's, first ${COMPARED} objects`, differences.length === 0 ? "yes" : "no", "yes");
  for (const text of differences.slice(0, 5)) console.log(`    ${text}`);
}

/** Where our answers and costs are others than cel-go's. */
function differencesFrom({ program, objects }, { id, error, answers, costs }) {
  if (error !== undefined) return [`${id}: cel-go reports ${error}`];
  return answers.flatMap((expected, index) => {
    const answer = program.answer(objects[index]);
    const cost = program.cost();
    if (answer === expected && cost === costs[index]) return [];
    return [`${id}, object ${index}: ${answer} for ${cost}, cel-go ${expected} for ${costs[index]}`];
  });
}

/**
 * From the text to something that can run, and with its first evaluation, because an engine may leave work to that. Each
 * engine keeps what it keeps between compilations (patterns, for one).
 */
function compileTimes(rows, engines) {
  const compile = (engine, expression) => engine.compile(expression);
  const compileAndRun = (engine, expression, object) => engine.compile(expression).run(object);
  compileTable("to compile", rows, engines, compile);
  compileTable("to compile and evaluate once", rows, engines, compileAndRun);
}

function compileTable(title, rows, engines, work) {
  console.log(`\n  microseconds ${title}, median of many times`);
  const table = [["", "", ...engines.map(({ name }) => name), "x fastest npm"]];
  const ratios = [];
  for (const { expression, entries } of rows) {
    const [own, ...others] = engines.map((engine, index) =>
      entries[index].program === undefined
        ? Number.NaN
        : medianTime(() => work(engine, expression, entries[index].objects[0])),
    );
    const ratio = own / Math.min(...others.filter((time) => !Number.isNaN(time)));
    ratios.push(ratio);
    const cells = [own, ...others].map((time) => (Number.isNaN(time) ? "n/a" : time.toFixed(1)));
    table.push([expression.id, expression.about, ...cells, times(ratio)]);
  }
  print(table);
  if (engines.length === 1) return;
  console.log();
  line(`geometric mean ${title}, fastest npm library of each row`, times(geometricMean(ratios)), "<= 2");
}

/** In microseconds. */
function medianTime(work) {
  const times = [];
  for (let round = 0; round < 500; round++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return median(times) * 1000;
}

/** One pass over a large fleet, with what was measured above still warm. */
function fleet(engines) {
  const all = clusters(FLEET);
  console.log(`\n  one pass over ${FLEET} different clusters, in milliseconds of CPU time`);
  const rows = ["E5", "E2"].map((id) => {
    const expression = EXPRESSIONS.find((one) => one.id === id);
    const entries = entriesOf(expression, engines, { placement: all });
    const times = entries.map((entry) => (entry.program === undefined ? "n/a" : passTime(entry)));
    return [id, expression.about, ...times, id === "E5" ? "plimsoll: < 100" : ""];
  });
  print([["", "", ...engines.map(({ name }) => name), ""], ...rows]);
}

function passTime({ program: { run }, objects }) {
  const times = [];
  // Else the pass would pay for what was thrown away before it.
  collectGarbage();
  for (let round = 0; round < 5; round++) {
    const start = process.cpuUsage();
    for (const object of objects) run(object);
    times.push(cpuSince(start) * 1000);
  }
  return median(times).toFixed(0);
}

function print(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) {
    const cells = row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])));
    console.log(`  ${cells.join("  ")}`);
  }
}

const sameList = (a, b) => a.length === b.length && a.every((value, index) => value === b[index]);
const geometricMean = (list) => Math.exp(list.reduce((sum, value) => sum + Math.log(value), 0) / list.length);
const times = (value) => (value > 0 && Number.isFinite(value) ? `${value.toFixed(value < 10 ? 1 : 0)} x` : "");

function rate(value) {
  if (value === undefined) return "";
  return value >= 1e6 ? `${(value / 1e6).toFixed(2)} M` : `${(value / 1e3).toFixed(0)} k`;
}
