// Does looking only at the slices that a change touches give what looking at all of them gives?

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlacementDecision } from "../../model/placement-decision.ts";
import { DEFAULT_MODE, OCM_MODE } from "../placement-mode.ts";
import type { Group, Slice } from "../placement-result.ts";
import { DecidedSlices, sliceLabels } from "./decided-slices.ts";
import { cutSlices } from "./slices.ts";

function decision(name: string, clusters: readonly string[]): PlacementDecision {
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: "" }));
  const labels = sliceLabels("p", "", 0);
  return { place: { source: "x", line: 1, column: 1 }, namespace: "ns1", name, labels, decisions };
}

function changeOf(decided: DecidedSlices, selected: readonly string[]) {
  const chosen = new Set(selected);
  return {
    added: selected.filter((cluster) => !decided.has(cluster)),
    removed: decided.clusters.filter((cluster) => !chosen.has(cluster)),
  };
}

const CLUSTER = fc.integer({ min: 0, max: 399 }).map((number) => `c${String(number).padStart(3, "0")}`);
const SELECTED = fc.uniqueArray(CLUSTER, { maxLength: 400, size: "max" }).map((clusters) => clusters.sort());
const NAMES = fc.uniqueArray(
  fc.oneof(
    fc.integer({ min: 1, max: 9 }).map((number) => `p-decision-${number}`),
    fc.constantFrom("other", "strange"),
  ),
  { maxLength: 6 },
);

/** The clusters cut into tidy slices at random places. */
const TIDY = fc.tuple(SELECTED, NAMES, fc.infiniteStream(fc.nat({ max: 5 }))).map(([clusters, names, dice]) => {
  const parts = names.map((): string[] => []);
  for (const cluster of clusters) {
    const part = parts[dice.next().value as number];
    if (part !== undefined && part.length < 100) part.push(cluster);
  }
  return names.map((name, at) => decision(name, parts[at] as string[]));
});

describe("a change of the selection", () => {
  const runs = process.env.PLIMSOLL_LONG ? 5_000 : 100;

  it("gives the same slices as the whole selection", () => {
    fc.assert(
      fc.property(TIDY, SELECTED, fc.constantFrom("", "canary"), (decisions, selected, name) => {
        const decided = new DecidedSlices("p", decisions);
        expect(decided.isTidy).toBe(true);
        const groups: readonly Group[] = [{ index: 0, name, clusters: selected }];
        const whole = cutSlices("p", groups, decided, DEFAULT_MODE);
        expect(cutSlices("p", groups, decided, DEFAULT_MODE, changeOf(decided, selected))).toEqual(whole);
      }),
      { numRuns: runs },
    );
  }, 300_000);

  it("is not relied on where there are several groups, untidy slices, or OCM's cut", () => {
    const tidy = new DecidedSlices("p", [decision("p-decision-1", ["a", "b"])]);
    const untidy = new DecidedSlices("p", [decision("p-decision-1", ["b", "a"]), decision("p-decision-2", ["b", "c"])]);
    const one: readonly Group[] = [{ index: 0, name: "", clusters: ["a", "b", "c"] }];
    const two: readonly Group[] = [
      { index: 0, name: "", clusters: ["a", "c"] },
      { index: 1, name: "", clusters: ["b"] },
    ];
    for (const [groups, decided, mode] of [
      [two, tidy, DEFAULT_MODE],
      [one, untidy, DEFAULT_MODE],
      [one, tidy, OCM_MODE],
    ] as const) {
      const whole = cutSlices("p", groups, decided, mode);
      expect(cutSlices("p", groups, decided, mode, changeOf(decided, ["a", "b", "c"]))).toEqual(whole);
    }
  });

  it("nothing so far and nothing selected: one empty slice", () => {
    const groups: readonly Group[] = [{ index: 0, name: "", clusters: [] }];
    const slices = cutSlices("p", groups, new DecidedSlices("p", []), DEFAULT_MODE, { added: [], removed: [] });
    expect(slices).toEqual([{ name: "p-decision-1", groupIndex: 0, groupName: "", clusters: [] }]);
  });

  it("leaves the lists of other slices as they are", () => {
    const name = (number: number) => `c${String(number).padStart(6, "0")}`;
    const members = (at: number) => Array.from({ length: 100 }, (_, offset) => name(at * 100 + offset));
    const decisions = Array.from({ length: 1000 }, (_, at) => decision(`p-decision-${at + 1}`, members(at)));
    const decided = new DecidedSlices("p", [...decisions, decision("p-decision-1001", ["d"])]);
    const selected = decided.clusters.filter((cluster) => cluster !== name(50_020));
    const groups: readonly Group[] = [{ index: 0, name: "", clusters: selected }];
    const slices = cutSlices("p", groups, decided, DEFAULT_MODE, { added: [], removed: [name(50_020)] });
    const others = slices.filter((slice: Slice, at) => slice.clusters !== decided.slices[at]?.clusters);
    expect(others).toEqual([
      {
        name: "p-decision-501",
        groupIndex: 0,
        groupName: "",
        clusters: members(500).filter((cluster) => cluster !== name(50_020)),
      },
    ]);
  });
});
