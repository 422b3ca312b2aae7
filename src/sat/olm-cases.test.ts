// Does the solver choose as OLM documents it for its own? The solver gets dependencies in the order of a walk from what
// is mandatory; every statement is an assumption of its own, so that a "no" names those that clash.

import { describe, expect, test } from "vitest";
import { ample } from "../../test/sat/brute-force.ts";
import { type Literal, negate, positive } from "./literal.ts";
import { Solver } from "./solver.ts";

/** What is stated about a variable: M mandatory, X prohibited, D one of these, C none of these, AM1 at most one. */
interface Statements {
  readonly M?: true;
  readonly X?: true;
  readonly D?: readonly (readonly string[])[];
  readonly C?: readonly string[];
  readonly AM1?: readonly (readonly string[])[];
}

/** The true variables, or the statements that cannot hold together. */
function answer(input: Readonly<Record<string, Statements>>): readonly string[] | { readonly no: readonly string[] } {
  const solver = new Solver();
  const ids = Object.keys(input);
  const literals = new Map(ids.map((id) => [id, positive(solver.newVariable())]));
  const of = (id: string): Literal => literals.get(id) as Literal;
  const statements = new Map<Literal, string>();
  const state = (text: string): Literal => {
    const statement = positive(solver.newVariable());
    statements.set(statement, text);
    return negate(statement);
  };
  for (const [id, { M, X, D = [], C = [], AM1 = [] }] of Object.entries(input)) {
    if (M) solver.addClause([state(`${id} M`), of(id)]);
    if (X) solver.addClause([state(`${id} X`), negate(of(id))]);
    for (const list of D) solver.addClause([state(`${id} D(${list})`), negate(of(id)), ...list.map(of)]);
    for (const other of C) solver.addClause([state(`${id} C(${other})`), negate(of(id)), negate(of(other))]);
    for (const list of AM1) {
      const holds = state(`${id} AM1(${list})`);
      const group = solver.newGroup();
      for (const other of list) {
        const counted = positive(solver.newVariable());
        solver.addClause([holds, negate(of(other)), counted]);
        solver.addToGroup(group, counted);
      }
    }
  }
  const preference = (): Literal => {
    const queue = ids.filter((id) => input[id]?.M);
    for (const id of queue) {
      for (const list of input[id]?.D ?? []) {
        if (list.some((candidate) => queue.includes(candidate))) continue;
        const first = list.find((candidate) => solver.value(of(candidate)) !== -1);
        if (first === undefined) continue;
        if (solver.value(of(first)) === 0) return of(first);
        queue.push(first);
      }
    }
    return -1;
  };
  const verdict = solver.solve({ assumptions: [...statements.keys()], preference, budget: ample() });
  if (verdict.kind === "unsatisfiable") return { no: verdict.core.map((one) => statements.get(one) as string).sort() };
  expect(verdict).toEqual({ kind: "satisfiable", preferred: true });
  return ids.filter((id) => solver.inModel(of(id)));
}

const free: Statements = {};

describe("preferences", () => {
  test("A01: nothing", () => expect(answer({})).toEqual([]));
  test("A02: nothing is demanded", () => expect(answer({ a: free })).toEqual([]));
  test("A04: mandatory and prohibited", () => {
    expect(answer({ a: { M: true, X: true } })).toEqual({ no: ["a M", "a X"] });
  });
  test("A05: a dependency", () => expect(answer({ a: free, b: { M: true, D: [["a"]] } })).toEqual(["a", "b"]));
  test("A06: a dependency of a dependency", () => {
    expect(answer({ a: free, b: { D: [["a"]] }, c: { M: true, D: [["b"]] } })).toEqual(["a", "b", "c"]);
  });
  test("A08: the first of a list", () => {
    expect(answer({ a: free, b: { C: ["a"] }, c: { M: true, D: [["a", "b"]] } })).toEqual(["a", "c"]);
  });
  test("A09: only one of a list", () => {
    expect(answer({ a: free, b: free, c: { M: true, D: [["a", "b"]] } })).toEqual(["a", "c"]);
  });
  test("A10: the order of the list, not that of the names", () => {
    expect(answer({ a: free, b: { C: ["a"] }, c: { M: true, D: [["b", "a"]] } })).toEqual(["b", "c"]);
  });
  test("A12: lists of what is not chosen have no influence", () => {
    expect(answer({ a: { D: [["x", "y"]] }, b: { M: true, D: [["y", "x"]] }, x: free, y: free })).toEqual(["b", "y"]);
  });
  test("A13: at most one of two that are mandatory", () => {
    const a: Statements = { M: true, D: [["x", "y"]], AM1: [["x", "y"]] };
    expect(answer({ a, x: { M: true }, y: { M: true } })).toEqual({ no: ["a AM1(x,y)", "x M", "y M"] });
  });
  test("A14: at most one makes it the second", () => {
    const a: Statements = { M: true, D: [["x", "y"]], AM1: [["x", "y"]] };
    expect(answer({ a, b: { M: true, D: [["y"]] }, x: free, y: free })).toEqual(["a", "b", "y"]);
  });
  test("A16: what was chosen before serves the next as well", () => {
    const input = { a: { M: true, D: [["y", "z", "m"]] }, b: { M: true, D: [["x", "y"]] } } as const;
    expect(answer({ ...input, x: free, y: free, z: free, m: free })).toEqual(["a", "b", "y"]);
  });
  test("A17: preference comes before fewness", () => {
    const input = { a: { M: true, D: [["x", "y"]] }, b: { M: true, D: [["y"]] }, x: free, y: free } as const;
    expect(answer(input)).toEqual(["a", "b", "x", "y"]);
  });
  test("A18: back to the least preferred everywhere", () => {
    const input = {
      a: { M: true, D: [["a1", "a2"]] },
      a1: { C: ["c1", "c2"] },
      a2: { C: ["c1"] },
      b: { M: true, D: [["b1", "b2"]] },
      b1: { C: ["c1", "c2"] },
      b2: { C: ["c1"] },
      c: { M: true, D: [["c1", "c2"]] },
      c1: free,
      c2: free,
    } as const;
    expect(answer(input)).toEqual(["a", "a2", "b", "b2", "c", "c2"]);
  });
});

test("a small problem that OLM's own solver answers with a subscription left empty", () => {
  const input = {
    s0: { M: true, D: [["b100", "b102"]] },
    s1: { M: true, D: [["b111", "b112"]] },
    b100: { C: ["b142"] },
    b102: free,
    b111: {
      D: [
        ["b151", "b152"],
        ["b141", "b142"],
      ],
    },
    b112: { D: [["b121"], ["b122"]] },
    b121: free,
    b122: free,
    b141: { D: [["b150"]] },
    b142: free,
    b150: free,
    b151: free,
    b152: free,
    one1: { AM1: [["b121", "b122"]] },
    one2: { AM1: [["b150", "b151", "b152"]] },
  } as const;
  expect(answer(input)).toEqual(["s0", "s1", "b102", "b111", "b142", "b151"]);
});
