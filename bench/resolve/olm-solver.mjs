// What does OLM's own solver answer? A Go program is built and asked, in a process of its own for each instance, because the
// solver cannot be stopped otherwise; without Go there is nothing to compare with.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../measure.mjs";
import { violations } from "./check-variables.mjs";

const folder = fileURLToPath(new URL("../peers/olm-solver/", import.meta.url));

/** The version that go.mod names. */
export const olmVersion = /operator-lifecycle-manager (v\S+)/.exec(readFileSync(`${folder}go.mod`, "utf8"))?.[1];

/** The solver, with a CPU time limit for each process; undefined when Go is not there. */
export function olmSolver(seconds) {
  const work = mkdtempSync(join(tmpdir(), "plimsoll-olm-solver-"));
  const close = () => rmSync(work, { recursive: true });
  const program = join(work, "olm-solver");
  const built = spawnSync("go", ["build", "-o", program, "."], { cwd: folder, stdio: ["ignore", 2, 2] });
  if (built.status !== 0) {
    close();
    return undefined;
  }
  return { seconds, close, solve: (variables, times) => solve({ program, work, seconds }, variables, times) };
}

/** Solves repeatedly, because its answers vary. */
function solve({ program, work, seconds }, variables, times) {
  const file = join(work, "instance.json");
  writeFileSync(file, JSON.stringify({ vars: variables }));
  const ran = spawnSync(program, ["-times", String(times), "-limit", String(seconds), file], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", 2],
    // The limit is one of CPU time; this one is for a machine that has none left.
    timeout: seconds * 10_000,
    killSignal: "SIGKILL",
  });
  if (ran.status !== 0 && ran.signal !== "SIGKILL") return { kind: "failed" };
  const answers = ran.stdout
    .split("\n")
    .filter((text) => text.endsWith("}"))
    .map((text) => JSON.parse(text));
  return answers.length === 0 ? { kind: "stopped" } : { kind: "answered", ...summaryOf(variables, answers) };
}

/** The median time, and the answer that violates most. */
function summaryOf(variables, answers) {
  const isOperator = new Set(variables.filter(({ a }) => a === undefined).map(({ id }) => id));
  const subscriptions = new Set(variables.filter(({ m, d }) => m && d).map(({ id }) => id));
  const judged = answers.map(({ selected, error, core }) => {
    if (selected === undefined) return { error, core, operators: 0, violations: [] };
    const operators = selected.filter((id) => isOperator.has(id) && !subscriptions.has(id)).length;
    return { operators, violations: violations(variables, selected) };
  });
  const worst = judged.reduce((a, b) => (b.violations.length > a.violations.length ? b : a));
  const wrong = judged.filter((one) => one.violations.length > 0).length;
  const megabytes = answers.at(-1).peakKb / 1024;
  return { cpu: median(answers.map(({ cpuMs }) => cpuMs)), runs: answers.length, wrong, megabytes, ...worst };
}
