// Do sets compare as in cel-go? Answers are those of cel-go v0.29.2, ext.Sets().
import fc from "fast-check";
import { expect, it } from "vitest";
import { callOverload, costOf, countingRun } from "../../../../test/cel/call-overload.ts";
import { equalValues } from "../../value/equality.ts";
import { double, Uint } from "../../value/number.ts";
import type { Value } from "../../value/value.ts";
import { setsLibrary } from "./sets.ts";

const CONTAINS = "list_sets_contains_list";
const EQUIVALENT = "list_sets_equivalent_list";
const INTERSECTS = "list_sets_intersects_list";
const u = (value: bigint): Uint => new Uint(value);

it.each<[id: string, a: Value[], b: Value[], expected: boolean, cost: number]>([
  [CONTAINS, [], [], true, 1],
  [CONTAINS, [], [1], false, 1],
  [CONTAINS, [1, 2, 3, 4], [2, 3], true, 9],
  [CONTAINS, [1, double(2), u(3n)], [double(1), u(2n), 3], true, 10],
  [CONTAINS, [[1], [2, 3]], [[2, double(3)]], true, 3],
  [CONTAINS, [Number.NaN], [Number.NaN], false, 2],
  [CONTAINS, ["1"], [1], false, 2],
  [EQUIVALENT, [], [], true, 1],
  [EQUIVALENT, [1], [1, 1], true, 5],
  [EQUIVALENT, [1, 2, 3], [u(3n), double(2), 1], true, 19],
  [EQUIVALENT, [1, 2], [2, 2, 2], false, 13],
  [INTERSECTS, [1], [], false, 1],
  [INTERSECTS, [1], [1, 2], true, 3],
  [
    INTERSECTS,
    [[1], [2, 3]],
    [
      [1, 2],
      [2, double(3)],
    ],
    true,
    5,
  ],
  [INTERSECTS, [{ a: 1 }], [{ a: u(1n) }], true, 2],
  [INTERSECTS, ["a", "b"], ["c"], false, 3],
])("%s %o %o", (id, a, b, expected, cost) => {
  expect(callOverload(setsLibrary, id, a, b)).toBe(expected);
  expect(costOf(setsLibrary, id, [a, b])).toBe(cost);
});

it("finds what comparing all with all finds", () => {
  const simple: Value[] = [
    0,
    1,
    double(1),
    double(-0),
    2n ** 53n,
    2 ** 53,
    u(1n),
    0.5,
    Number.NaN,
    "",
    "1",
    true,
    null,
  ];
  const values = fc.constantFrom<Value>(...simple, [1], [double(1)], { a: 1 }, { a: u(1n) });
  fc.assert(
    fc.property(fc.array(values, { maxLength: 6 }), fc.array(values, { maxLength: 6 }), (a, b) => {
      const has = (list: readonly Value[], value: Value): boolean =>
        list.some((each) => equalValues(each, value, countingRun()));
      expect(callOverload(setsLibrary, CONTAINS, a, b)).toBe(b.every((value) => has(a, value)));
      expect(callOverload(setsLibrary, INTERSECTS, a, b)).toBe(a.some((value) => has(b, value)));
    }),
    { seed: 1, numRuns: 2000 },
  );
});
