// How fast are CEL expressions evaluated, compared with the libraries on npm and with cel-go? All engines of this process
// see all expressions and objects, and take turns; rates are per second of CPU time, the best of some samples.
import { fileURLToPath } from "node:url";
import { celGo, celGoVersion } from "./cel/cel-go.mjs";
import { EXPRESSIONS } from "./cel/expressions.mjs";
import { libraries, versions } from "./cel/libraries.mjs";
import { bundles, clusters } from "./cel/objects.mjs";
import { plimsoll } from "./cel/plimsoll.mjs";
import { calibrate, line, median, ms } from "./measure.mjs";

const OBJECTS = 2_000;
const COMPARED = 200;
const SAMPLES = 5;
const FLEET = 100_000;

export async function benchCel({ dist, quick }) {
  console.log(`\nEvaluating CEL (calibration loop ${ms(calibrate())})`);
  const ours = await plimsoll(dist ?? fileURLToPath(new URL("../dist", import.meta.url)));
  const others = await libraries();
  if (others === undefined) console.log("  skipped: the libraries from npm (they could not be installed; see above)");
  else console.log(`  compared with ${versions.join(", ")}`);
  const objects = { bundle: bundles(OBJECTS), placement: clusters(OBJECTS) };
  const engines = [ours, ...(others ?? [])];
  const rows = EXPRESSIONS.map((expression) => ({ expression, entries: entriesOf(expression, engines, objects) }));
  measure(rows, quick ? 0.03 : 0.1);
  const go = celGo(EXPRESSIONS, objects, quick ? 0.03 : 0.1);
  console.log(go === undefined ? "  skipped: cel-go (Go is not there, or its program did not build)" : `  and with cel-go ${celGoVersion}`);
  printTable(rows, engines, objects, go);
  compileTimes(engines);
  fleet(engines);
}

/** An expression, compiled by each engine that can, with the objects as that engine takes them. */
function entriesOf(expression, engines, objects) {
  return engines.map((engine) => {
    try {
      const program = engine.compile(expression);
      return { program, objects: objects[expression.env].map((object) => engine.object(object, expression.ints)), best: 0 };
    } catch (refusal) {
      return { refusal };
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
  let done = 0;
  for (;;) {
    for (let index = 0; index < 100; index++) run(objects[(done + index) % objects.length]);
    done += 100;
    const used = cpuSince(start);
    if (used >= seconds) return done / used;
  }
}

function cpuSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function printTable(rows, engines, objects, go) {
  const [, ...others] = engines.map(({ name }) => name);
  console.log(`\n  evaluations per CPU second, ${OBJECTS} objects in turn (✗: other answers than ${go === undefined ? "ours" : "cel-go's"})`);
  print(["", "", "plimsoll", ...others, "cel-go", "+cost limit", "x npm", "x bufbuild", "x cel-go +limit"]);
  const ratios = { npm: [], bufbuild: [], go: [] };
  let identical = true;
  let missingKey = Number.NaN;
  for (const { expression, entries } of rows) {
    const [own, ...rest] = entries;
    const compared = go?.get(expression.id);
    const answers = entries.map(({ program, objects }) => program && objects.slice(0, COMPARED).map(program.answer));
    const reference = compared?.answers ?? answers[0];
    const marks = answers.map((given) => (given === undefined || sameList(given, reference) ? "" : " ✗"));
    const costs = own.objects.slice(0, COMPARED).map((object) => own.program.answer(object) !== undefined && own.program.cost());
    if (compared !== undefined) {
      const same = sameList(answers[0], compared.answers) && sameList(costs, compared.costs);
      if (!same) console.log(`  ${expression.id}: ${difference(answers[0], costs, compared)}`);
      identical &&= same;
    }
    const fastest = Math.max(...rest.map(({ best }) => best ?? 0));
    const bufbuild = rest[others.indexOf("@bufbuild/cel")]?.best;
    const row = [own.best / fastest, own.best / bufbuild, own.best / compared?.perCpuSecond];
    ratios.npm.push(row[0]);
    ratios.bufbuild.push(row[1]);
    ratios.go.push(row[2]);
    if (expression.id === "E9") missingKey = row[0];
    print([
      expression.id,
      expression.about,
      ...entries.map(({ best }, index) => (best === undefined ? "n/a" : `${rate(best)}${marks[index]}`)),
      rate(compared?.perCpuSecondWithoutCost),
      rate(compared?.perCpuSecond),
      ...row.map(times),
    ]);
  }
  console.log();
  line("geometric mean, fastest npm library of each row", times(geometricMean(ratios.npm)), ">= 3");
  line("geometric mean, @bufbuild/cel", times(geometricMean(ratios.bufbuild)), ">= 10");
  line("missing key (E9), fastest npm library", times(missingKey), ">= 20");
  if (go === undefined) return;
  line("geometric mean, cel-go with cost limit", times(geometricMean(ratios.go)), ">= 15");
  line(`answers and costs as cel-go's, first ${COMPARED} objects`, identical ? "yes" : "no", "yes");
}

function difference(answers, costs, compared) {
  const at = answers.findIndex((answer, index) => answer !== compared.answers[index] || costs[index] !== compared.costs[index]);
  return `object ${at}: ${answers[at]} for ${costs[at]}, cel-go ${compared.answers[at]} for ${compared.costs[at]} ${compared.error ?? ""}`;
}

/** From the text to something that can run. Each engine keeps what it keeps between compilations (patterns, for one). */
function compileTimes(engines) {
  console.log("\n  microseconds to compile, median");
  print(["", "", ...engines.map(({ name }) => name)]);
  for (const expression of EXPRESSIONS) {
    print([expression.id, expression.about, ...engines.map((engine) => compileTime(engine, expression))]);
  }
}

function compileTime(engine, expression) {
  const times = [];
  try {
    for (let round = 0; round < 100; round++) {
      const start = performance.now();
      engine.compile(expression);
      times.push(performance.now() - start);
    }
  } catch {
    return "n/a";
  }
  return (median(times) * 1000).toFixed(0);
}

/** One pass over a large fleet, with what was measured above still warm. */
function fleet(engines) {
  const all = clusters(FLEET);
  console.log(`\n  one pass over ${FLEET} different clusters, in milliseconds of CPU time`);
  print(["", "", ...engines.map(({ name }) => name)]);
  for (const id of ["E5", "E2"]) {
    const expression = EXPRESSIONS.find((one) => one.id === id);
    const entries = entriesOf(expression, engines, { placement: all });
    const times = entries.map((entry) => (entry.program === undefined ? "n/a" : passTime(entry)));
    print([id, expression.about, ...times, id === "E5" ? "plimsoll: < 150" : ""]);
  }
}

function passTime({ program: { run }, objects }) {
  const times = [];
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    for (const object of objects) run(object);
    times.push(cpuSince(start) * 1000);
  }
  return median(times).toFixed(0);
}

const WIDTHS = [3, 34];

function print(cells) {
  console.log(`  ${cells.map((cell, index) => (index < 2 ? cell.padEnd(WIDTHS[index]) : cell.padStart(Math.max(12, 16 - index)))).join(" ")}`);
}

const sameList = (a, b) => a.length === b.length && a.every((value, index) => value === b[index]);
const geometricMean = (list) => Math.exp(list.reduce((sum, value) => sum + Math.log(value), 0) / list.length);
const times = (value) => (Number.isFinite(value) ? `${value.toFixed(value < 10 ? 1 : 0)} x` : "");

function rate(value) {
  if (value === undefined) return "";
  return value >= 1e6 ? `${(value / 1e6).toFixed(2)} M` : `${(value / 1e3).toFixed(0)} k`;
}
