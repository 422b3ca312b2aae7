// What does the API server not charge? It folds constants, and has() looks for free. Whole rules are compared with the API server in
// src/crd/cel-rules/rule-table.test.ts.
import { expect, test } from "vitest";
import { compile } from "../compile.ts";
import { type Costs, environment } from "../environment.ts";
import { everyLibrary } from "../library/every-library.ts";
import { DYN } from "../type.ts";

function costOf(text: string, costs: Costs): number | undefined {
  const known = environment({ libraries: everyLibrary, variables: { a: DYN }, costs, crossTypeComparisons: true });
  const { program, errors } = compile(text, known);
  expect(errors).toEqual([]);
  program?.evaluate({ a: { b: "b", l: ["a", "b"], n: 2 } });
  // The second time costs the same as the first.
  const first = program?.cost;
  program?.evaluate({ a: { b: "b", l: ["a", "b"], n: 2 } });
  expect(program?.cost).toBe(first);
  return first;
}

test.for<[text: string, cel: number, apiServer: number]>([
  ["has(a.b)", 2, 1],
  ["has(a.c)", 2, 1],
  ["a.b in ['a', 'b']", 14, 2],
  ["a.n in [1, 2]", 14, 2],
  ["a.n in [1, a.n]", 16, 16],
  ["[1, 2].size() == 2", 12, 2],
  ["{'a': 1}.size() == 1", 32, 2],
  ["[[1], [a.n]].size() == 2", 34, 24],
  ["a.l.filter(x, x == 'a').size() == 1", 32, 22],
  ["{'k': 'v'}.transformMap(k, v, v).size() == 1", 67, 7],
  ["duration('1s') == duration('1s')", 3, 1],
  ["a.l == ['a', 'b']", 13, 3],
])("%s: %d, %d", ([text, cel, apiServer]) => {
  expect([costOf(text, "cel"), costOf(text, "api-server")]).toEqual([cel, apiServer]);
});
