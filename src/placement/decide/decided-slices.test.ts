// Is every PlacementDecision found again, in any state?

import { expect, it, test } from "vitest";
import type { TextMap } from "../../model/labels.ts";
import type { PlacementDecision } from "../../model/placement-decision.ts";
import { compareSlices, DecidedSlices, GROUP_INDEX_LABEL, sliceLabels } from "./decided-slices.ts";

function decision(name: string, clusters: readonly string[], labels: TextMap = {}): PlacementDecision {
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: "" }));
  return { place: { source: "x", line: 1, column: 1 }, namespace: "ns1", name, labels, decisions };
}

it("sorts by number, then by name; names that are no slice's come last", () => {
  const names = [
    "p-decision-10",
    "zz",
    "p-decision-2",
    "p-decision-01",
    "p-decision-0",
    "q-decision-1",
    "p-decision-1",
  ];
  const decided = new DecidedSlices(
    "p",
    names.map((name) => decision(name, [])),
  );
  expect(decided.slices.map(({ name, number }) => [name, number])).toEqual([
    ["p-decision-1", 1],
    ["p-decision-2", 2],
    ["p-decision-10", 10],
    ["p-decision-0", undefined],
    ["p-decision-01", undefined],
    ["q-decision-1", undefined],
    ["zz", undefined],
  ]);
  expect([0, 1, 2, 3, 10].map((number) => decided.hasNumber(number))).toEqual([false, true, true, false, true]);
  expect(compareSlices({ name: "a", number: undefined }, { name: "b", number: undefined })).toBeLessThan(0);
  expect(compareSlices({ name: "b", number: 999_999_999 }, { name: "a", number: undefined })).toBeLessThan(0);
});

it("a number that is too long is none", () => {
  const decided = new DecidedSlices("p", [decision(`p-decision-${"9".repeat(400)}`, [])]);
  expect(decided.slices[0]?.number).toBeUndefined();
});

it("finds each cluster in the first slice that has it", () => {
  const decided = new DecidedSlices("p", [
    decision("p-decision-2", ["a", "b", "__proto__"]),
    decision("p-decision-1", ["b", "b", "c"]),
  ]);
  expect(decided.clusters).toEqual(["__proto__", "a", "b", "c"]);
  expect(decided.positionOf("b")).toBe(0);
  expect(decided.sliceOf("b")?.name).toBe("p-decision-1");
  expect(decided.sliceOf("__proto__")?.name).toBe("p-decision-2");
  expect(decided.has("a")).toBe(true);
  expect(decided.has("constructor")).toBe(false);
  expect(decided.sliceOf("constructor")).toBeUndefined();
});

test.each([
  ["clean ones", [["a", "c"], ["b"]], true],
  ["none", [], true],
  ["empty ones", [[], []], true],
  ["a hundred", [Array.from({ length: 100 }, (_, at) => `c${at + 100}`)], true],
  ["one too many", [Array.from({ length: 101 }, (_, at) => `c${at + 100}`)], false],
  ["one twice in a slice", [["a", "a"]], false],
  ["one in two slices", [["a"], ["a"]], false],
  ["another order", [["b", "a"]], false],
] as const)("are they tidy: %s", (_, slices, isTidy) => {
  const decisions = slices.map((clusters, at) => decision(`p-decision-${at + 1}`, clusters));
  expect(new DecidedSlices("p", decisions).isTidy).toBe(isTidy);
});

test.each([
  [{ [GROUP_INDEX_LABEL]: "12" }, 12],
  [sliceLabels("p", "canary", 0), 0],
  [{ [GROUP_INDEX_LABEL]: "-1" }, undefined],
  [{ [GROUP_INDEX_LABEL]: "1.0" }, undefined],
  [{}, undefined],
])("the group of %j is %s", (labels, index) => {
  expect(new DecidedSlices("p", [decision("p-decision-1", [], labels)]).slices[0]?.groupIndex).toBe(index);
});
