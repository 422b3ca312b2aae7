// Does forgetting leave what is needed, and nothing pointing to what is gone?

import { describe, expect, test } from "vitest";
import { HEADER } from "./clause-arena.ts";
import { ConstraintStore } from "./constraint-store.ts";
import { forget } from "./forget.ts";
import { type Literal, negate, positive } from "./literal.ts";
import { NO_CONFLICT, propagate } from "./propagate.ts";

const GLUE = 5;

/** Of each three variables: the third follows from the first two. */
function threes(count: number, glue: number): ConstraintStore {
  const store = new ConstraintStore();
  for (let i = 0; i < 3 * count; i++) store.addVariable();
  for (let i = 0; i < count; i++) {
    const clause = Int32Array.of(negate(positive(3 * i)), negate(positive(3 * i + 1)), positive(3 * i + 2));
    store.addDistinct(clause, 3, glue);
  }
  return store;
}

function decide(store: ConstraintStore, literal: Literal): void {
  store.decide(literal);
  expect(propagate(store)).toBe(NO_CONFLICT);
}

describe("forgetting", () => {
  test("the older half of the learnt clauses is removed, those with little glue and given ones stay", () => {
    const store = threes(10, GLUE);
    expect(forget(store)).toBe(5);
    expect(forget(threes(10, 2))).toBe(0);
    expect(forget(threes(10, 0))).toBe(0);
    // The five newer ones still do their work, the older ones are gone.
    for (let i = 0; i < 10; i++) {
      decide(store, positive(3 * i));
      decide(store, positive(3 * i + 1));
      expect(store.trail.values[positive(3 * i + 2)]).toBe(i < 5 ? 0 : 1);
    }
  });

  test("a clause that is a reason stays, even if it moves", () => {
    const store = threes(10, GLUE);
    decide(store, positive(9));
    decide(store, positive(10));
    expect(store.trail.values[positive(11)]).toBe(1);
    const before = store.trail.reasons[11] as number;
    expect(forget(store)).toBe(5);
    const reason = store.trail.reasons[11] as number;
    expect(reason).toBeLessThan(before);
    expect([...store.arena.words.subarray(reason + HEADER, reason + HEADER + 3)].sort((a, b) => a - b)).toEqual([
      negate(positive(9)),
      negate(positive(10)),
      positive(11),
    ]);
  });

  test("what followed from an older decision than the last holds again after going back", () => {
    const store = threes(3, 0);
    decide(store, positive(0));
    decide(store, positive(3));
    decide(store, positive(6));
    for (let i = 0; i < 4; i++) store.addVariable();
    // Learnt at the third level, but true since the first.
    store.addDistinct(Int32Array.of(negate(positive(0)), positive(9), positive(10)), 3, 0);
    store.addDistinct(Int32Array.of(positive(11), negate(positive(0)), negate(positive(9)), positive(10)), 4, GLUE);
    store.addClause([negate(positive(10)), negate(positive(0))]);
    expect(propagate(store)).toBe(NO_CONFLICT);
    forget(store);
    store.backtrack(1);
    expect(propagate(store)).toBe(NO_CONFLICT);
    expect([9, 10, 11].map((variable) => store.trail.values[positive(variable)])).toEqual([1, -1, 1]);
    store.backtrack(0);
    expect([9, 10, 11].map((variable) => store.trail.values[positive(variable)])).toEqual([0, 0, 0]);
  });

  test("a clause from which something will follow again stays", () => {
    const store = threes(1, 0);
    store.addClause([negate(positive(0)), negate(positive(1))]);
    decide(store, positive(0));
    decide(store, positive(2));
    // True by decision at the moment; after going back it follows from the first decision.
    store.addDistinct(Int32Array.of(positive(2), negate(positive(0)), positive(1)), 3, GLUE);
    expect(forget(store)).toBe(0);
    store.backtrack(1);
    expect(store.trail.values[positive(2)]).toBe(1);
    expect(store.arena.size(store.trail.reasons[2] as number)).toBe(3);
  });

  test("clauses that are permanently true are removed", () => {
    const store = threes(4, 0);
    store.addClause([positive(2)]);
    expect(forget(store)).toBe(1);
    expect(store.clauses).toBe(4);
  });
});
