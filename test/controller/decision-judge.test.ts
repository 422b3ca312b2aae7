// Does the judge of the watcher from outside notice what a controller must never do? Each rule with a sequence that keeps it and
// one that breaks it.

import { describe, expect, test } from "vitest";
import {
  groupText,
  judgeSettled,
  judgeStep,
  type SeenSlice,
  type SliceEvent,
  stateAfter,
} from "../e2e/controller/judge.ts";

/** The n-th PlacementDecision of ns/p. */
function slice(n: number, clusters: readonly string[], others: Partial<SeenSlice> = {}): SeenSlice {
  const key = `ns/p-decision-${n}`;
  return { key, uid: `uid-${n}`, placement: "ns/p", group: groupText("0", ""), clusters, ...others };
}

const added = (one: SeenSlice): SliceEvent => ({ is: "added", slice: one });
const modified = (one: SeenSlice): SliceEvent => ({ is: "modified", slice: one });
const deleted = (one: SeenSlice): SliceEvent => ({ is: "deleted", key: one.key });
const CANARY = { group: groupText("0", "canary") };
const REST = { group: groupText("1", "") };

describe("a cluster that stays selected", () => {
  const before = [slice(1, ["a", "b"])];

  test("may move: first into the new slice, then out of the old one", () => {
    const events = [added(slice(2, [])), modified(slice(2, ["b"])), modified(slice(1, ["a"]))];
    expect(judgeStep({ before, events })).toEqual([]);
  });

  test("is missing if it leaves the old slice first", () => {
    const events = [added(slice(2, [])), modified(slice(1, ["a"])), modified(slice(2, ["b"]))];
    expect(judgeStep({ before, events })).toEqual([
      "event 2, modified ns/p-decision-1: b of ns/p in no PlacementDecision, though selected",
    ]);
  });

  test("is missing if its slice is deleted and made again", () => {
    const events = [
      deleted(slice(1, [])),
      added(slice(1, [], { uid: "new" })),
      modified(slice(1, ["a", "b"], { uid: "new" })),
    ];
    expect(judgeStep({ before, events })).toEqual([
      "event 1, deleted ns/p-decision-1: a, b of ns/p in no PlacementDecision, though selected",
      "event 2, added ns/p-decision-1: a, b of ns/p in no PlacementDecision, though selected",
    ]);
  });

  test("is missing if it has come, leaves its slice, and comes again", () => {
    const first = [added(slice(1, [])), modified(slice(1, ["a", "b"]))];
    const second = [added(slice(2, [])), modified(slice(2, ["b"]))];
    const left = modified(slice(1, ["a"]));
    expect(judgeStep({ before: [], events: [...first, ...second, left] })).toEqual([]);
    expect(judgeStep({ before: [], events: [...first, left, ...second] })).toEqual([
      "event 3, modified ns/p-decision-1: b of ns/p in no PlacementDecision, though selected",
      "event 4, added ns/p-decision-2: b of ns/p in no PlacementDecision, though selected",
    ]);
  });

  test("is missing for an instant in which all slices are emptied", () => {
    const events = [modified(slice(1, [])), modified(slice(1, ["a", "b"]))];
    expect(judgeStep({ before, events })).toHaveLength(1);
  });

  test("is missing if its slice loses the label of the Placement", () => {
    const events = [modified(slice(1, ["a", "b"], { placement: undefined })), modified(slice(1, ["a", "b"]))];
    expect(judgeStep({ before, events })).toHaveLength(1);
  });

  test("is not what another Placement selects", () => {
    const other = { key: "ns/q-decision-1", placement: "ns/q" };
    const events = [modified(slice(1, ["a"])), added(slice(1, ["b"], other)), modified(slice(1, ["a", "b"]))];
    expect(judgeStep({ before, events })).toEqual([
      "event 1, modified ns/p-decision-1: b of ns/p in no PlacementDecision, though selected",
      "event 2, added ns/q-decision-1: b of ns/p in no PlacementDecision, though selected",
    ]);
  });

  test("is one that is there before and after: others come and go", () => {
    const events = [modified(slice(1, ["a", "c"])), modified(slice(1, ["a", "d"]))];
    expect(judgeStep({ before, events })).toEqual([]);
  });

  test("is not one that the Placement did not select for a while", () => {
    const events = [modified(slice(1, ["a"])), modified(slice(1, ["a", "b"]))];
    expect(judgeStep({ before, events, away: new Map([["ns/p", new Set(["b"])]]) })).toEqual([]);
    expect(judgeStep({ before, events, away: new Map([["ns/p", new Set(["a"])]]) })).toHaveLength(1);
    expect(judgeStep({ before, events, away: new Map([["ns/q", new Set(["b"])]]) })).toHaveLength(1);
  });

  test("may be missing where the test itself changed the decisions, or the Placement is another one", () => {
    const events = [deleted(slice(1, [])), added(slice(1, ["a", "b"], { uid: "new" }))];
    expect(judgeStep({ before, events, exempt: new Set(["ns/p"]) })).toEqual([]);
    expect(judgeStep({ before, events, exempt: new Set(["ns/q"]) })).toHaveLength(1);
  });
});

describe("one slice", () => {
  const names = Array.from({ length: 101 }, (_, at) => `c${at}`);

  test("has at most 100 clusters, also for an instant", () => {
    expect(judgeStep({ before: [], events: [added(slice(1, names.slice(0, 100)))] })).toEqual([]);
    const events = [added(slice(1, names)), modified(slice(1, names.slice(0, 100))), added(slice(2, ["c100"]))];
    expect(judgeStep({ before: [], events })).toContain(
      "event 1, added ns/p-decision-1: ns/p-decision-1 has 101 clusters",
    );
  });

  test("has each cluster once", () => {
    expect(judgeStep({ before: [], events: [added(slice(1, ["a", "a"]))] })).toEqual([
      "event 1, added ns/p-decision-1: ns/p-decision-1 has a cluster twice",
    ]);
  });
});

describe("a name", () => {
  const before = [slice(1, [])];

  test("has another uid only after it was deleted", () => {
    const again = slice(1, [], { uid: "new" });
    expect(judgeStep({ before, events: [deleted(slice(1, [])), added(again)] })).toEqual([]);
    expect(judgeStep({ before, events: [added(again)] })).toEqual([
      "event 1, added ns/p-decision-1: ns/p-decision-1 has another uid, and was not deleted before",
    ]);
    expect(judgeStep({ before, events: [modified(again)] })).toHaveLength(1);
  });
});

describe("the group of a cluster", () => {
  const before = [slice(1, ["a", "b"])];

  test("is its old one or its new one", () => {
    const events = [
      added(slice(2, [], REST)),
      modified(slice(2, ["b"], REST)),
      modified(slice(1, ["a"])),
      modified(slice(1, ["a"], CANARY)),
    ];
    expect(judgeStep({ before, events })).toEqual([]);
  });

  test("is wrong if a slice is relabelled before the others have left it", () => {
    const events = [
      added(slice(2, [], REST)),
      modified(slice(1, ["a", "b"], CANARY)),
      modified(slice(2, ["b"], REST)),
      modified(slice(1, ["a"], CANARY)),
    ];
    const wrong = 'b in ns/p-decision-1 is in group "0 canary", not in "0 " or "1 "';
    expect(judgeStep({ before, events })).toEqual([
      `event 2, modified ns/p-decision-1: ${wrong}`,
      `event 3, modified ns/p-decision-2: ${wrong}`,
    ]);
  });

  test("is wrong if a new cluster is first in a group of others", () => {
    const events = [
      modified(slice(1, ["a", "b", "c"])),
      added(slice(2, ["c"], CANARY)),
      modified(slice(1, ["a", "b"])),
    ];
    expect(judgeStep({ before, events })).toHaveLength(2);
  });

  test("counts its index, not only its name", () => {
    const events = [modified(slice(1, ["a", "b"], { group: groupText("2", "") })), modified(slice(1, ["a", "b"]))];
    expect(judgeStep({ before, events })).toHaveLength(2);
  });

  test("is not judged where several changes were made at once", () => {
    const events = [modified(slice(1, ["a", "b"], CANARY)), modified(slice(1, ["a", "b"], REST))];
    expect(judgeStep({ before, events })).toHaveLength(2);
    expect(judgeStep({ before, events, judgesGroups: false })).toEqual([]);
  });

  test("of a cluster that is neither before nor after is not judged", () => {
    const events = [added(slice(2, ["c"], CANARY)), deleted(slice(2, []))];
    expect(judgeStep({ before, events })).toEqual([]);
  });
});

describe("a settled state", () => {
  test("has each cluster in one slice, and one name for each group", () => {
    expect(judgeSettled([slice(1, ["a"]), slice(2, ["b"])])).toEqual([]);
    expect(judgeSettled([slice(1, ["a"]), slice(2, ["a"])])).toEqual([
      "settled: a is in ns/p-decision-1 and in ns/p-decision-2",
    ]);
    expect(judgeSettled([slice(1, ["a"]), slice(2, ["b"], CANARY)])).toEqual([
      'settled: group 0 is called "" and, in ns/p-decision-2, "canary"',
    ]);
  });

  test("has a cluster in slices of several Placements, and without a Placement", () => {
    const other = { key: "ns/q-decision-1", placement: "ns/q" };
    expect(judgeSettled([slice(1, ["a"]), slice(1, ["a"], other), slice(3, ["a"], { placement: undefined })])).toEqual(
      [],
    );
  });

  test("is what the events lead to", () => {
    const events = [added(slice(2, ["b"])), modified(slice(1, [])), deleted(slice(2, []))];
    expect(stateAfter([slice(1, ["a"])], events)).toEqual([slice(1, [])]);
  });
});
