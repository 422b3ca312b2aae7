// Does every answer, type and cost equal that of cel-go?
//
// The table was made by cel-go v0.29.2 with the libraries of k8s.io/apiserver v0.37.2 (test/differential/cel-go/ask.mjs).
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "../../src/cel/compile.ts";
import { estimateCost } from "../../src/cel/cost/estimate.ts";
import { type Environment, environment } from "../../src/cel/environment.ts";
import { everyLibrary } from "../../src/cel/library/every-library.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  printType,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../../src/cel/type.ts";
import { CelError } from "../../src/cel/value/value.ts";
import { COMMON_DATA } from "../differential/cel-go/common-data.mjs";
import { DIFFERENCES } from "../differential/cel-go/differences.ts";
import { coerced, encode } from "./encoding.ts";

interface Row {
  readonly expression: string;
  readonly env: string;
  readonly section: string;
  readonly data?: Readonly<Record<string, unknown>> | "common";
  readonly variables?: Readonly<Record<string, string>>;
  readonly kubernetesCost?: "one" | "kubernetes";
  readonly costLimit?: number;
  readonly disableCheck?: boolean;
  readonly answer: {
    readonly type?: string;
    readonly value?: unknown;
    readonly cost?: number;
    readonly failed?: boolean;
    readonly refused?: string;
  };
}

const SIMPLE: Readonly<Record<string, Type>> = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  dyn: DYN,
  null: NULL,
  timestamp: TIMESTAMP,
  duration: DURATION,
};

function typeOfText(text: string): Type {
  const [, outer, inner] = /^(list|map)\((.*)\)$/.exec(text) ?? [];
  if (outer === "list") return listOf(typeOfText(inner as string));
  if (outer === "map") {
    const comma = (inner as string).indexOf(",");
    return mapOf(typeOfText((inner as string).slice(0, comma)), typeOfText((inner as string).slice(comma + 1).trim()));
  }
  const type = SIMPLE[text];
  if (type === undefined) throw new Error(`no type ${text}`);
  return type;
}

const environments = new Map<string, Environment>();

function environmentOf(row: Row, data: Readonly<Record<string, unknown>>, kind: "any" | "json"): Environment {
  const declared = Object.fromEntries(
    [...Object.keys(data), ...Object.keys(row.variables ?? {})].map((name) => [name, row.variables?.[name] ?? "dyn"]),
  );
  const key = JSON.stringify([row.kubernetesCost, declared, kind]);
  const known = environments.get(key);
  if (known !== undefined) return known;
  const variables = Object.fromEntries(Object.entries(declared).map(([name, type]) => [name, typeOfText(type)]));
  const made = environment({
    libraries: everyLibrary,
    variables,
    data: kind,
    costs: row.kubernetesCost === "kubernetes" ? "kubernetes" : "cel",
    checkLiterals: false,
  });
  environments.set(key, made);
  return made;
}

function ourAnswer(row: Row, kind: "any" | "json"): Row["answer"] {
  const data = row.data === "common" ? COMMON_DATA : (row.data ?? {});
  const compilation = compile(row.expression, environmentOf(row, data, kind), { check: row.disableCheck !== true });
  const { program, type } = compilation;
  if (program === undefined || type === undefined) return { refused: "check" };
  if (row.costLimit !== undefined) program.limit({ cost: row.costLimit });
  const bindings = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, coerced(value, row.variables?.[name])]),
  );
  const result = program.evaluate(bindings);
  const { cost } = program;
  expect(
    estimateCost(program.checked, program.environment).max,
    `the estimate of ${row.expression}`,
  ).toBeGreaterThanOrEqual(cost);
  const common = row.disableCheck === true ? { cost } : { type: printType(type), cost };
  return result instanceof CelError ? { ...common, failed: true } : { ...common, value: encode(result) };
}

const rows: readonly Row[] = readFileSync(new URL("../differential/cel-go.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row)
  .filter((row) => row.env === "plain");

const differing = new Set<string>();

test.for([...new Set(rows.map((row) => row.section))])("%s", (section) => {
  const wrong: unknown[] = [];
  for (const row of rows.filter((row) => row.section === section)) {
    const { refused, estimate: _, ...theirs } = row.answer as Row["answer"] & { estimate?: unknown };
    const ours = ourAnswer(row, "json");
    // Data that may be anything takes other ways through the plan.
    expect(ourAnswer(row, "any"), row.expression).toEqual(ours);
    const expected =
      refused !== undefined ? { refused: "check" } : row.disableCheck === true ? withoutType(theirs) : theirs;
    const same = JSON.stringify(sorted(ours)) === JSON.stringify(sorted(expected));
    if (same) continue;
    differing.add(row.expression);
    if (!DIFFERENCES.some(({ expressions }) => expressions.includes(row.expression))) {
      wrong.push({ expression: row.expression, kubernetesCost: row.kubernetesCost, ours, theirs: expected });
    }
  }
  expect(wrong).toEqual([]);
});

test("every difference that is listed is one", () => {
  expect(
    DIFFERENCES.flatMap(({ expressions }) => expressions).filter((expression) => !differing.has(expression)),
  ).toEqual([]);
});

function withoutType({ type: _, ...answer }: Row["answer"]): Row["answer"] {
  return answer;
}

function sorted(answer: Row["answer"]): unknown {
  return [answer.type, answer.cost, answer.failed, answer.refused, byKeys(answer.value)];
}

function byKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(byKeys);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, byKeys(inner)]);
}
