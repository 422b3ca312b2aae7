import { expect, test } from "vitest";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import { standardLibrary } from "../library/standard/standard.ts";
import { DYN } from "../type.ts";
import { KeyedList } from "./keyed-list.ts";
import type { JsonMap, Value } from "./value.ts";

const known = environment({ libraries: [standardLibrary], variables: { a: DYN, b: DYN } });

function evaluate(text: string, a: Value, b: Value): unknown {
  const { program, errors } = compile(text, known);
  expect(errors).toEqual([]);
  return program?.evaluate({ a, b });
}

const set = (...elements: Value[]): KeyedList => new KeyedList(elements, String, true);
const byName = (...elements: Value[]): KeyedList =>
  new KeyedList(elements, (element) => String((element as JsonMap).n), false);

test.for<[a: Value, b: Value, equal: boolean]>([
  [set(1, 2), set(2, 1), true],
  [set(1, 2), [2, 1], true],
  // The left side decides, as in Kubernetes.
  [[1, 2], set(2, 1), false],
  [set(1, 2), set(1, 3), false],
  [set(1, 2), set(1), false],
  [set(), set(), true],
  [byName({ n: "x", v: 1 }, { n: "y", v: 2 }), byName({ n: "y", v: 2 }, { n: "x", v: 1 }), true],
  [byName({ n: "x", v: 1 }), byName({ n: "x", v: 2 }), false],
  [byName({ n: "x", v: 1 }), byName({ n: "y", v: 1 }), false],
])("%j == %j: %s", ([a, b, equal]) => {
  expect(evaluate("a == b", a, b)).toBe(equal);
  expect(evaluate("a != b", a, b)).toBe(!equal);
  expect(evaluate("[a] == [b]", a, b)).toBe(equal);
});

test("`+` merges", () => {
  expect([...(evaluate("a + b", set(3, 1), [1, 2]) as KeyedList)]).toEqual([3, 1, 2]);
  const joined = evaluate(
    "a + b",
    byName({ n: "x", v: 1 }, { n: "y", v: 2 }),
    byName({ n: "y", v: 3 }, { n: "z", v: 4 }),
  );
  expect([...(joined as KeyedList)]).toEqual([
    { n: "x", v: 1 },
    { n: "y", v: 3 },
    { n: "z", v: 4 },
  ]);
  expect(evaluate("a + b", [1], set(1))).toEqual([1, 1]);
});

test("to everything else it is a list", () => {
  expect(evaluate("a.size() + a[1]", set(3, 1), null)).toBe(3);
  expect(evaluate("1 in a", set(3, 1), null)).toBe(true);
  const filtered = evaluate("a.filter(x, x > 2)", set(3, 1), null);
  expect(filtered).not.toBeInstanceOf(KeyedList);
  expect(filtered).toEqual([3]);
  expect(set(3, 1).map((element) => element)).not.toBeInstanceOf(KeyedList);
});
