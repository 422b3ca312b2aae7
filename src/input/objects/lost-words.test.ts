import { expect, test } from "vitest";
import { placeOfLost, placeOfLostKind } from "../../model/lost-text.ts";
import type { Place } from "../../model/place.ts";
import { LostWords, MAX_LOST_TEXT } from "./lost-words.ts";

const A: Place = { source: "a.yaml", line: 1, column: 1 };
const B: Place = { source: "b.yaml", line: 7, column: 1 };

test("a name is found as a whole word, at its first place", () => {
  const lost = new LostWords();
  lost.add('metadata: {name: "zulu", labels: {a.b/c: my-zulu.east}}\n', A, true);
  lost.add("- name: zulu\n", B, true);
  const found = lost.finish();
  expect(placeOfLost(found, "zulu")).toBe(A);
  expect(placeOfLost(found, "my-zulu.east")).toBe(A);
  expect(["zul", "my", "east", "Zulu"].map((name) => placeOfLost(found, name))).toEqual(Array(4).fill(undefined));
});

test.each(["kind: Placement", '{"kind":"Placement"', "kind Placement", "kind: PlacementList"])(
  "a Placement may be in %s",
  (text) => {
    const lost = new LostWords();
    lost.add(`${text}\nname: lamp\n`, A, true);
    expect(placeOfLostKind(lost.finish(), "Placement")).toBe(A);
    expect(placeOfLostKind(lost.finish(), "Placement", "lamp")).toBe(A);
    expect(placeOfLostKind(lost.finish(), "Placement", "lantern")).toBeUndefined();
  },
);

test("no Placement is in a PlacementDecision", () => {
  const lost = new LostWords();
  lost.add("kind: PlacementDecision", A, true);
  expect(placeOfLostKind(lost.finish(), "Placement")).toBeUndefined();
});

test("what is not seen, or too much, may hold anything", () => {
  const cut = new LostWords();
  cut.add("name: lamp", A, false);
  expect(placeOfLost(cut.finish(), "zulu")).toBe(A);
  expect(placeOfLostKind(cut.finish(), "Placement", "zulu")).toBe(A);

  const long = new LostWords();
  long.add("x".repeat(MAX_LOST_TEXT), A, true);
  expect(placeOfLost(long.finish(), "zulu")).toBeUndefined();
  long.add("y", B, true);
  expect(placeOfLost(long.finish(), "zulu")).toBe(B);
  expect(long.finish().words.size).toBe(0);
});
