import { describe, expect, test } from "vitest";
import { decision } from "../../../test/placement/sample-fleet.ts";
import type { PlacementDecision } from "../../model/placement-decision.ts";
import { DecisionIndex } from "./decision-index.ts";

/** What changes when one decision follows the other: the clusters, and how much more often each is named. */
function changeOf(before: PlacementDecision | undefined, after: PlacementDecision | undefined) {
  const steps = new Map<string, number>();
  const index = new DecisionIndex((cluster, step) => steps.set(cluster, (steps.get(cluster) ?? 0) + step));
  index.change("ns", "d", before);
  steps.clear();
  const clusters = [...index.change("ns", "d", after)].sort();
  return { clusters, steps: Object.fromEntries(steps), ofP: index.of("ns/p"), ofQ: index.of("ns/q") };
}

describe("the clusters that a change of a decision concerns", () => {
  const before = decision("d", "p", "c1", "c2", "c3");

  test("are those that come or go, while the owner stays", () => {
    const after = decision("d", "p", "c2", "c3", "c4");
    expect(changeOf(before, after)).toEqual({
      clusters: ["c1", "c4"],
      steps: { c1: -1, c4: 1 },
      ofP: [after],
      ofQ: [],
    });
  });

  test("are none if only scores or the order change, but the new decision counts", () => {
    const after = decision("d", "p", "c3", "c2", "c1");
    expect(changeOf(before, after)).toEqual({ clusters: [], steps: {}, ofP: [after], ofQ: [] });
  });

  test("are those that are named more or less often, too", () => {
    const after = decision("d", "p", "c1", "c1", "c1", "c2", "c3");
    expect(changeOf(before, after)).toMatchObject({ clusters: ["c1"], steps: { c1: 2 } });
    expect(changeOf(after, before)).toMatchObject({ clusters: ["c1"], steps: { c1: -2 } });
  });

  test("are all of them if the owner changes", () => {
    const after = decision("d", "q", "c1", "c2", "c3");
    expect(changeOf(before, after)).toEqual({ clusters: ["c1", "c2", "c3"], steps: {}, ofP: [], ofQ: [after] });
    expect(changeOf(before, decision("d", undefined, "c1", "c2", "c3"))).toMatchObject({
      clusters: ["c1", "c2", "c3"],
      ofP: [],
    });
  });

  test("are all of them if it is new or deleted", () => {
    expect(changeOf(undefined, before)).toMatchObject({ clusters: ["c1", "c2", "c3"], ofP: [before] });
    expect(changeOf(before, undefined)).toMatchObject({ clusters: ["c1", "c2", "c3"], ofP: [] });
  });
});
