import { expect, test } from "vitest";
import { isNothingLost, type LostText, placeOfLost, placeOfLostKind } from "./lost-text.ts";
import { type Place, wholeSource } from "./place.ts";

const TEXT: Place = wholeSource("a.yaml");
const UNSEEN: Place = wholeSource("b.yaml");
const KIND: Place = wholeSource("cluster/ManagedCluster");

function lost(words: readonly string[], kinds?: readonly string[], unseen?: Place): LostText {
  return {
    words: new Map(words.map((word) => [word, TEXT])),
    unseen,
    ...(kinds && { kinds: new Map(kinds.map((kind) => [kind, KIND])) }),
  };
}

test("something is lost: words, unseen text, or a kind", () => {
  expect([lost([]), lost([], [])].map(isNothingLost)).toEqual([true, true]);
  expect([lost(["a"]), lost([], [], UNSEEN), lost([], ["Placement"])].map(isNothingLost)).toEqual([
    false,
    false,
    false,
  ]);
});

test("an object of a kind that was not read may exist, whatever its name", () => {
  const some = lost([], ["ManagedCluster"]);
  expect(placeOfLost(some, "oslo", "ManagedCluster")).toBe(KIND);
  expect(placeOfLost(some, "oslo", "Placement")).toBeUndefined();
  expect(placeOfLost(some, "oslo")).toBeUndefined();
  expect(placeOfLostKind(some, "ManagedCluster")).toBe(KIND);
  expect(placeOfLostKind(some, "ManagedCluster", "oslo")).toBe(KIND);
  expect(placeOfLostKind(some, "Placement")).toBeUndefined();
});

test("the text with its name is the nearest place, then the kind, then what was not seen", () => {
  const all = lost(["oslo", "ManagedCluster"], ["ManagedCluster"], UNSEEN);
  expect(placeOfLost(all, "oslo", "ManagedCluster")).toBe(TEXT);
  expect(placeOfLost(all, "bergen", "ManagedCluster")).toBe(KIND);
  expect(placeOfLost(all, "bergen", "Placement")).toBe(UNSEEN);
  expect(placeOfLostKind(all, "ManagedCluster", "oslo")).toBe(TEXT);
  expect(placeOfLostKind(all, "ManagedCluster", "bergen")).toBe(KIND);
  expect(placeOfLostKind(all, "Placement", "bergen")).toBe(UNSEEN);
});
