// What does an explanation cost, and how long is it? Catalogs of 50,000 bundles on which not everything can be
// had, and stories of the real one; beside the size of what OLM's solver reports for the same instance.
import { stories } from "./explain/stories.mjs";
import { calibrate, line, median, ms } from "./measure.mjs";
import { DIST } from "./modules.mjs";
import { cpuOf } from "./resolve/cpu.mjs";
import { denseProblem } from "./resolve/dense.mjs";
import { olmSolver, olmVersion } from "./resolve/olm-solver.mjs";
import { olmVariables } from "./resolve/olm-variables.mjs";
import { plimsoll } from "./resolve/plimsoll.mjs";
import { printTable } from "./resolve/table.mjs";

const COLUMNS = 120;
const TARGETS = { facts: 15, lines: 40, cpu: 400 };

export async function benchExplain({ data, dist, quick }) {
  const { library, options, resolver } = await plimsoll(dist ?? DIST);
  console.log(`\nExplaining, CPU time (calibration loop ${ms(calibrate())})`);
  if (data === undefined || resolver === undefined) {
    console.log(`  skipped: ${resolver === undefined ? "this build has no resolver" : "no --data FOLDER"}`);
    return;
  }
  const olm = olmSolver(quick ? 10 : 60);
  if (olm === undefined) console.log("  skipped: OLM's solver (Go is not there, or its program did not build)");
  else console.log(`  beside the output of OLM ${olmVersion}'s solver, stopped after ${olm.seconds} s of CPU time`);
  const bench = { library, options, resolver, olm, data, quick };
  try {
    await realCatalog(bench);
    await dense(bench);
  } finally {
    olm?.close();
  }
}

/** The real catalog; this also warms up what explains. */
async function realCatalog({ library, options, resolver, data }) {
  const rows = [];
  for (const { name, problem } of await stories({ library, options, data })) {
    for (let time = 0; time < 5; time++) explainAll(resolver, problem);
    const explained = explainAll(resolver, problem);
    for (const one of explained) rows.push([name, one.about, ...cells(one)]);
    if (explained.length === 0) rows.push([name, "nothing to explain", "", "", "", ""]);
  }
  console.log("\n  stories of the real catalog");
  printTable(["", "about", "facts", "lines", "time", "fixes found"], rows);
}

/** 50,000 bundles that are tied to each other, of the family in which not everything can be had. */
async function dense({ library, options, resolver, olm, data, quick }) {
  console.log(`\n  dense, 50,000 bundles, 20 subscriptions (calibration loop ${ms(calibrate())})`);
  const rows = [];
  const all = [];
  for (let seed = 1; seed <= (quick ? 3 : 10); seed++) {
    const { problem, requests } = await denseProblem({ library, options, data, seed, satisfiable: false });
    const explained = explainAll(resolver, problem);
    all.push(...explained);
    const core = olmCore(olm, olmVariables({ ...problem, requests }, library));
    for (const [index, one] of explained.entries())
      rows.push([index === 0 ? `seed ${seed}` : "", one.about, ...cells(one), index === 0 ? core : ""]);
    if (explained.length === 0) rows.push([`seed ${seed}`, "nothing to explain", "", "", "", "", core]);
  }
  printTable(["", "about", "facts", "lines", "time", "fixes found", "OLM's output"], rows);
  for (const kind of ["no operator", "held back"]) {
    const some = all.filter(({ about }) => about.startsWith(kind));
    if (some.length === 0) continue;
    console.log(`\n  ${kind}: ${some.length}`);
    const worst = (figure) => Math.max(...some.map(figure));
    const facts = some.filter((one) => one.facts <= TARGETS.facts).length;
    line(`  at most ${TARGETS.facts} facts (most: ${worst((one) => one.facts)})`, `${facts} of ${some.length}`, "all");
    line("  lines of text, most", String(worst((one) => one.lines)), `<= ${TARGETS.lines}`);
    const cpu = (one) => one.cpu;
    line("  a whole explanation, median", ms(median(some.map(cpu))), `< ${TARGETS.cpu} ms`);
    line("  a whole explanation, slowest", ms(worst(cpu)), `< ${TARGETS.cpu} ms`);
  }
}

/** Explains everything that an answer refuses or holds back: why not, and what would help. */
function explainAll(resolver, problem) {
  const answer = resolver.resolveProblem(problem);
  const { explain, textOf } = resolver.explainer(problem, answer);
  const measured = (about, item) => {
    const { cpu, result } = cpuOf(() => {
      const explanation = explain(item);
      // Builds of before look for it when it is read.
      return { text: textOf(explanation), facts: explanation.facts.length, found: explanation.fixes.length };
    });
    return { about, cpu, facts: result.facts, lines: linesOf(result.text), found: result.found };
  };
  return [
    ...answer.unsatisfied.map((item) => measured(`no operator: ${item.request.package}`, item)),
    ...answer.heldBack.map((item) => measured(`held back: ${item.package}`, item)),
  ];
}

/** As many lines as it takes on a terminal. */
function linesOf(text) {
  return text.split("\n").reduce((sum, one) => sum + Math.max(1, Math.ceil(one.length / COLUMNS)), 0);
}

function cells({ facts, lines, cpu, found }) {
  return [String(facts), String(lines), ms(cpu), String(found)];
}

/** The size of the output of OLM's solver: it names constraints, which OLM joins with commas into one line. */
function olmCore(olm, asked) {
  if (olm === undefined) return "";
  const answered = olm.solve(asked.variables, 1);
  if (answered.kind === "stopped") return `nothing within ${olm.seconds} s`;
  if (answered.kind === "failed") return "failed";
  if (answered.error === undefined) return answered.wrong === 0 ? "possible" : "a wrong answer";
  return answered.core === undefined ? answered.error : `${answered.core} constraints`;
}
