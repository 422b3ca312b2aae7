// How many official tests does our engine pass, section by section, and which fail?
import type { Case, Corpus } from "./case.ts";
import { everyCase, type Outcome, outcomeOf } from "./outcome.ts";
import { writeValue } from "./same-value.ts";
import { mistakesInWaivers, waivers } from "./waivers.ts";

/** What the corpora besides the official tests are. */
const TITLES: Readonly<Record<Exclude<Corpus, "official">, string>> = {
  types: "deduced types (cel-go's, of the official tests)",
  checking: "type checking (cel-go's checker_test.go)",
  parsing: "parsing (cel-go's parser_test.go)",
  comprehension: "macros with two variables (cel-go's comprehensions_test.go)",
};

/** Runs the tests and prints the report; the answer is the exit code. */
export function report(args: readonly string[], print: (line: string) => void): number {
  const wanted = readArguments(args);
  if (wanted === undefined) {
    print("usage: npm run conformance [-- [--section NAME] [--failures]]");
    return 2;
  }
  const cases = everyCase();
  const outcomes = cases
    .filter(({ section }) => wanted.section === undefined || section === wanted.section)
    .map((test) => outcomeOf(test, waivers));
  if (outcomes.length === 0) {
    print(
      `there is no section ${wanted.section}; there are ${[...new Set(cases.map(({ section }) => section))].join(", ")}`,
    );
    return 2;
  }
  const mistakes = mistakesInWaivers(waivers, cases);
  if (wanted.failures) for (const outcome of outcomes) printFailure(outcome, print);
  for (const mistake of mistakes) print(`waivers.json: ${mistake}`);
  printTable(outcomes, print);
  return mistakes.length > 0 || outcomes.some(({ kind }) => kind === "failed") ? 1 : 0;
}

interface Arguments {
  readonly section: string | undefined;
  readonly failures: boolean;
}

function readArguments(args: readonly string[]): Arguments | undefined {
  const rest = [...args];
  let section: string | undefined;
  let failures = false;
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === "--failures") failures = true;
    else if (arg === "--section" && rest.length > 0) section = rest.shift();
    else return undefined;
  }
  return { section, failures };
}

function printFailure({ test, kind, got }: Outcome, print: (line: string) => void): void {
  if (kind !== "failed") return;
  print(test.key);
  print(`  expression  ${test.expression.trim().replace(/\s*\n\s*/g, "\n              ")}`);
  print(`  expected    ${writeExpected(test)}`);
  print(`  got         ${got}`);
}

function writeExpected({ expected }: Case): string {
  switch (expected.kind) {
    case "error":
      return `an error, such as: ${expected.message}`;
    case "refused":
      return expected.at.length === 0 ? "refused" : `refused at ${expected.at.join(", ")}`;
    case "parsed":
      return "accepted by the parser";
    case "result": {
      const value = expected.value === undefined ? [] : [writeValue(expected.value)];
      return [...value, ...(expected.type === undefined ? [] : [`type ${expected.type}`])].join(", ");
    }
  }
}

function printTable(outcomes: readonly Outcome[], print: (line: string) => void): void {
  const rows = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const row = rows.get(outcome.test.section);
    if (row === undefined) rows.set(outcome.test.section, [outcome]);
    else row.push(outcome);
  }
  print(tableRow("section", "passed", "failed", "waived"));
  for (const [section, row] of rows) {
    print(tableRow(section, ...(["passed", "failed", "waived"] as const).map((kind) => String(count(row, kind)))));
  }
  print("");
  for (const [corpus, title] of Object.entries(TITLES)) {
    const rest = outcomes.filter(({ test }) => test.corpus === corpus);
    if (rest.length > 0) print(`${title}: ${sum(rest)}`);
  }
  const official = outcomes.filter(({ test }) => test.corpus === "official");
  if (official.length > 0) print(sum(official));
}

function tableRow(section: string, ...figures: readonly string[]): string {
  return section.padEnd(16) + figures.map((figure) => figure.padStart(8)).join("");
}

function sum(outcomes: readonly Outcome[]): string {
  return `${count(outcomes, "passed")} passed, ${count(outcomes, "failed")} failed, ${count(outcomes, "waived")} waived`;
}

function count(outcomes: readonly Outcome[], kind: Outcome["kind"]): number {
  return outcomes.filter((outcome) => outcome.kind === kind).length;
}
