// What about tiny questions? One to four operators, each with a few versions and perhaps a dependency or an old version that
// runs: what a single namespace mostly asks. Nothing is hard here; what counts is how much is done for every question.
//
// OLM's solver gets ready-made variables and gives back a selection. What compares to that is our solving: from the problem to
// the best model, with finding candidates and making clauses, and with proof. The whole of ours is the check of the answer and
// the report with its reasons on top.
import { calibrate, line, median, ms } from "../measure.mjs";
import { cpuOf } from "./cpu.mjs";
import { olmVariables } from "./olm-variables.mjs";
import { catalogOf, installedFrom, packageDocuments, problemOf, requestFor } from "./problem.mjs";
import { randomBelow } from "./random.mjs";
import { printTable } from "./table.mjs";

const PACKAGES = 12;
const MAX_REQUESTS = 4;
/** Questions of each size. */
const QUESTIONS = 15;
/** One question is faster than the clock's resolution: this number is measured together. */
const BATCH = 20;
const BATCHES = 15;

/** Both solvers are warm: all questions are asked before the first that counts, and each some hundreds of times. */
export function benchTiny({ library, options, resolver, olm, quick }) {
  if (resolver === undefined) return;
  console.log(`\n  tiny questions, ${PACKAGES} packages (calibration loop ${ms(calibrate())})`);
  const sizes = Array.from({ length: MAX_REQUESTS }, (_, index) => index + 1);
  const questions = sizes.map((requests) =>
    Array.from({ length: quick ? 5 : QUESTIONS }, (_, index) => tinyProblem({ library, options }, requests, 1 + index)),
  );
  if (resolver.solveProblem === undefined)
    console.log("  this build has another structure: solving cannot be measured separately");
  const ways = [resolver.resolveProblem, resolver.solveProblem].filter((way) => way !== undefined);
  for (let time = 0; time < BATCH; time++) for (const one of questions.flat()) for (const way of ways) way(one);
  const rows = [];
  const solving = [];
  const whole = [];
  for (const requests of sizes) {
    const asked = questions[requests - 1].map((problem) => compareOn({ library, resolver, olm }, problem));
    const theirs = asked.flatMap((one) => one.theirs ?? []);
    const ratiosOf = (key) =>
      asked.flatMap((one) => (one.theirs === undefined || one[key] === undefined ? [] : [one.theirs / one[key]]));
    const [faster, fasterWhole] = [ratiosOf("solving"), ratiosOf("whole")];
    solving.push(...faster);
    whole.push(...fasterWhole);
    rows.push([
      requests === 1 ? "1 subscription" : `${requests} subscriptions`,
      us(median(asked.map((one) => one.whole))),
      ways.length < 2 ? "" : us(median(asked.map((one) => one.solving))),
      String(median(asked.map(({ operators }) => operators))),
      theirs.length === 0 ? "" : us(median(theirs)),
      times(faster),
      times(fasterWhole),
    ]);
  }
  printTable(["", "whole answer", "solving", "operators", "OLM, solving", "OLM / solving", "OLM / whole"], rows);
  if (solving.length > 0) line("  OLM / solving, median of all", times(solving), ">= 1 x");
  if (whole.length > 0) line("  OLM / whole answer, median of all", times(whole), ">= 1 x");
}

function compareOn({ library, resolver, olm }, problem) {
  const samplesOf = (way) =>
    Array.from({ length: BATCHES }, () => cpuOf(() => Array.from({ length: BATCH }, () => way(problem)).at(-1)));
  const timeOf = (samples) => median(samples.map(({ cpu }) => cpu / BATCH));
  const samples = samplesOf(resolver.resolveProblem);
  const answered = olm?.solve(olmVariables(problem, library).variables, BATCH * BATCHES);
  return {
    whole: timeOf(samples),
    solving: resolver.solveProblem && timeOf(samplesOf(resolver.solveProblem)),
    operators: samples[0].result.operators.length,
    theirs: answered?.kind === "answered" ? answered.cpu : undefined,
  };
}

/** Packages with one to five versions; every third needs an API of the one before it; every other operator runs already. */
function tinyProblem({ library, options }, requests, seed) {
  const below = randomBelow(seed * 7919 + requests);
  const documents = Array.from({ length: PACKAGES }, (_, number) => {
    const properties = [{ type: "olm.gvk", value: apiOf(number) }];
    if (number % 3 !== 0) properties.push({ type: "olm.gvk.required", value: apiOf(number - 1) });
    const versions = Array.from({ length: 1 + below(5) }, (_, index) => ({ version: `${9 - index}.0.0`, properties }));
    return packageDocuments(nameOf(number), versions);
  });
  const catalog = catalogOf(library, documents.flat());
  const numbers = new Set();
  while (numbers.size < requests) numbers.add(below(PACKAGES));
  const installed = [];
  const asked = [...numbers].map((number, index) => {
    const bundles = [...catalog.packages.get(nameOf(number)).bundles.values()];
    if (index % 2 === 0 || bundles.length < 2 || number % 3 !== 0) return requestFor(catalog, nameOf(number));
    const operator = installedFrom(bundles[1]);
    installed.push(operator);
    return requestFor(catalog, nameOf(number), { installed: operator });
  });
  return problemOf({ catalog, requests: asked, installed, options });
}

const nameOf = (number) => `operator-${String(number).padStart(2, "0")}`;
const apiOf = (number) => ({ group: `${nameOf(number)}.example.com`, version: "v1", kind: "Resource" });
const times = (ratios) => (ratios.length === 0 ? "" : `${median(ratios).toFixed(1)} x`);
const us = (milliseconds) => `${(milliseconds * 1000).toFixed(0)} µs`;
