import { describe, expect, test } from "vitest";
import type { Json } from "../model/json.ts";
import { isSameValue, nestsAtMost } from "./deep-value.ts";

function nested(depth: number, inner: Json): Json {
  let value = inner;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

test("how deep values nest", () => {
  expect(nestsAtMost(1, 0)).toBe(true);
  expect(nestsAtMost([], 0)).toBe(false);
  expect(nestsAtMost(nested(100, 1), 100)).toBe(true);
  expect(nestsAtMost(nested(101, 1), 100)).toBe(false);
  expect(nestsAtMost([1, nested(100_000, 1)], 100)).toBe(false);
});

describe("whether values are the same", () => {
  test.each<readonly [Json, Json, boolean]>([
    [1, 1, true],
    [1, "1", false],
    [null, {}, false],
    [[], {}, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 1], false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ constructor: 1 }, { toString: 1 }, false],
    [9223372036854775808n, 9223372036854775808n, true],
  ])("%# %o and %o", (a, b, expected) => {
    expect(isSameValue(a, b)).toBe(expected);
    expect(isSameValue(b, a)).toBe(expected);
  });

  test("however deep they are", () => {
    expect(isSameValue(nested(100_000, 1), nested(100_000, 1))).toBe(true);
    expect(isSameValue(nested(100_000, 1), nested(100_000, 2))).toBe(false);
  });

  test("where the same part is there too often, they are taken for different", () => {
    const unfolded = (): Json => {
      let value: Json = [1];
      for (let level = 0; level < 40; level++) value = [value, value];
      return value;
    };
    expect(isSameValue(unfolded(), unfolded())).toBe(false);
  });
});
