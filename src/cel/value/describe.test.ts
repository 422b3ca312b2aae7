// How is a value written?
import { expect, test } from "vitest";
import { describeValue, writeValue } from "./describe.ts";
import type { Value } from "./value.ts";

/** Few lists, very many parts: each is a list of two that are the same list. */
function sharing(depth: number): Value {
  let value: Value = ["a"];
  for (let level = 0; level < depth; level++) value = [value, value];
  return value;
}

test("a value that shares its parts is written up to a bound", () => {
  expect(writeValue(sharing(2))).toBe('[[["a"], ["a"]], [["a"], ["a"]]]');
  const written = writeValue(sharing(40));
  expect(written.endsWith("…]")).toBe(true);
  expect(written.length).toBeLessThan(20_000_000);
});

test("a description is short for any value", () => {
  expect(describeValue(sharing(200)).length).toBeLessThanOrEqual(60);
  expect(describeValue({ list: sharing(100), other: "x".repeat(1_000_000) }).length).toBeLessThanOrEqual(60);
});
