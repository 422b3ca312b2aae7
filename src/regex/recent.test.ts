// Is only kept what fits, and what was used lately?
import { expect, it } from "vitest";
import { createRecent } from "./recent.ts";

it("drops what was not used for longest", () => {
  const recent = createRecent<number>(2, 100);
  recent.set("a", 1, 10);
  recent.set("b", 2, 10);
  expect(recent.get("a")).toBe(1);
  recent.set("c", 3, 10);
  expect(["a", "b", "c"].map((key) => recent.get(key))).toEqual([1, undefined, 3]);
});

it("counts the room that values take", () => {
  const recent = createRecent<number>(10, 100);
  recent.set("a", 1, 60);
  recent.set("b", 2, 30);
  recent.set("b", 3, 40);
  expect(["a", "b"].map((key) => recent.get(key))).toEqual([1, 3]);
  recent.set("c", 4, 50);
  expect(["a", "b", "c"].map((key) => recent.get(key))).toEqual([undefined, 3, 4]);
});

it("does not keep what is larger than everything may be", () => {
  const recent = createRecent<number>(10, 100);
  recent.set("a", 1, 60);
  recent.set("b", 2, 101);
  expect(["a", "b"].map((key) => recent.get(key))).toEqual([1, undefined]);
});
