import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "../compile.ts";
import { type Costs, environment } from "../environment.ts";
import { everyLibrary } from "../library/every-library.ts";
import { BOOL, DYN, INT, listOf, mapOf, STRING } from "../type.ts";
import { estimateCost, type SchemaSizes } from "./estimate.ts";
import type { ValuePath } from "./path.ts";

const VARIABLES = {
  a: DYN,
  m: DYN,
  l: listOf(INT),
  s: STRING,
  t: BOOL,
  texts: listOf(STRING),
  by: mapOf(STRING, STRING),
};

function most(text: string, costs: Costs, sizes?: SchemaSizes): number {
  const known = environment({ libraries: everyLibrary, variables: VARIABLES, costs, data: "json" });
  const { program } = compile(text, known);
  if (program === undefined) throw new Error(`${text} does not compile`);
  return estimateCost(program.checked, program.environment, sizes).max;
}

interface Row {
  readonly section: string;
  readonly expression: string;
  readonly kubernetesCost: "one" | "kubernetes";
  readonly answer: { readonly estimate: { readonly max: string } };
}

const ROWS: readonly Row[] = readFileSync(new URL("../../../test/differential/cel-go.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row)
  .filter((row) => row.section === "static estimate" && row.kubernetesCost === "kubernetes");

test("with unknown sizes the API server's model gives what cel-go's checker estimates", () => {
  expect(ROWS.length).toBe(13);
  for (const { expression, answer } of ROWS) {
    const max = Number(answer.estimate.max);
    // Beyond that, cel-go multiplies the largest integer.
    const expected = max > 1e15 ? Number.POSITIVE_INFINITY : max;
    // cel-go v0.29.2 charges has() for its last field; v0.26.0, which the API server has, does not.
    expect([expression, most(expression, "api-server")]).toEqual([
      expression,
      expression === "has(m.x)" ? 1 : expected,
    ]);
  }
});

test.for([
  "a",
  "s + s",
  "[1, 2, 3].map(x, x * 2)",
  "[1, 2, 3].filter(x, x > 1).all(x, x in [4, 5])",
  "['ab', 'c'].exists(x, x.startsWith('a') && x.size() < 3)",
  "{'k': 'v'}.exists(k, k == 'k')",
  "[[1], [2]].map(x, 1)",
  "t ? 'a' : 'b' + 'c'",
  "optional.of(1).optMap(x, x + 1).hasValue()",
  "[1, 2].exists_one(x, x == 1)",
  "{'a': 1}.transformMap(k, v, v + 1).size()",
  "[1].transformList(i, v, i + v).size()",
  "cel.bind(x, [1, 2], x.size() + x.size())",
  "'abc'.matches('a+') && sets.contains([1, 2], [1])",
  "[1, 2].sortBy(x, -x).size()",
])("%s: the bound and the checker's estimate are the same", (text) => {
  expect(most(text, "api-server")).toBe(most(text, "cel"));
});

test.for<[text: string, bound: number, checker: number, why: string]>([
  ["m.x.y", 3, 1, "fields of a dyn are free"],
  ["has(m.x)", 2, 1, "the last field of has() is free"],
  ["texts[l[0]]", 3, 4, "a name inside another path is charged"],
  ["t ? l : l", 1, 2, "a name in a branch is charged"],
  ["int", 0, 1, "a constant is charged"],
  ["['ab', 'c'][0] == 'ab'", 13, 12, "the root of a path is free if it is computed"],
  ["optional.of(1).orValue(2)", 1, 2, "orValue() is a call"],
  ["{'a': 'b'}.a.contains('b')", 33, Number.POSITIVE_INFINITY, "fields of a map literal are of unknown size"],
  ["[['a']][0].all(x, x == x)", 29, Number.POSITIVE_INFINITY, "sizes are known one level deep"],
])("%s: the bound is %d, the checker's estimate %d: %s", ([text, bound, checker]) => {
  expect([most(text, "cel"), most(text, "api-server")]).toEqual([bound, checker]);
});

test("sizes come from a schema", () => {
  const sizes: SchemaSizes = ({ steps, length }: ValuePath) =>
    ({ texts: { min: 0, max: 4 }, "texts @items": { min: 0, max: 20 } })[steps.slice(0, length).join(" ")];
  expect(most("texts.all(x, x == 'a')", "cel", sizes)).toBe(4 * 5 + 2);
  expect(most("texts.all(x, x.contains('a'))", "cel", sizes)).toBe(4 * 6 + 2);
  for (const costs of ["cel", "api-server"] as const) {
    expect(most("texts.all(x, x.contains('a'))", costs, sizes)).toBe(
      most("texts.all(x, x.contains('a'))", "cel", sizes),
    );
    expect(most("texts[0].contains(s)", costs, sizes)).toBe(Number.POSITIVE_INFINITY);
  }
});
