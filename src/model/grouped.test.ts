import { expect, test } from "vitest";
import { removeFrom } from "./grouped.ts";

test("a group that is empty is removed, and none is made", () => {
  const groups = new Map([
    ["a", new Map([["x", 1]])],
    ["b", new Map([["y", 2]])],
  ]);
  expect(removeFrom(groups, "a", "x")).toBe(true);
  expect(removeFrom(groups, "b", "x")).toBe(false);
  expect(removeFrom(groups, "c", "x")).toBe(false);
  expect([...groups.keys()]).toEqual(["b"]);
});
