// Is just that written which has to be, and when it may be?

import { describe, expect, it, test } from "vitest";
import { parseTimestamp, type Timestamp } from "../../cel/value/timestamp.ts";
import type { TextMap } from "../../model/labels.ts";
import type { ClusterDecision } from "../../model/placement-decision.ts";
import { DecidedSlices, sliceLabels } from "../decide/decided-slices.ts";
import { cutGroups } from "../decide/decision-groups.ts";
import { cutSlices } from "../decide/slices.ts";
import { DEFAULT_MODE, OCM_MODE, type PlacementMode } from "../placement-mode.ts";
import type { Slice } from "../placement-result.ts";
import type { SliceWrite } from "./safe-write-order.ts";
import { type SliceWrites, scoresDueAt, writesOf } from "./writes.ts";

const BOTH = [DEFAULT_MODE, OCM_MODE];
const LABELS = sliceLabels("placement1", "", 0);

function numbered(count: number, prefix = "c"): readonly string[] {
  return Array.from({ length: count }, (_, at) => prefix + String(at + 1).padStart(3, "0"));
}

/** One PlacementDecision that is there: its number, its entry for each cluster, its labels. */
type Was = readonly [
  number: number,
  decisions: readonly (string | ClusterDecision)[],
  labels?: TextMap,
  terminating?: boolean,
];

function decidedAs(...slices: readonly Was[]): DecidedSlices {
  const decisions = slices.map(([number, entries, labels = LABELS, terminating]) => ({
    place: { source: "x", line: 1, column: 1 },
    namespace: "ns1",
    name: `placement1-decision-${number}`,
    ...{ labels, terminating },
    decisions: entries.map((entry) => (typeof entry === "string" ? { clusterName: entry, reason: "" } : entry)),
  }));
  return new DecidedSlices("placement1", decisions);
}

interface Given {
  readonly entry?: (cluster: string) => ClusterDecision;
  readonly mode?: PlacementMode;
  readonly now?: string;
  readonly lastScoreUpdateTime?: string;
}

function ask(decided: DecidedSlices, slices: readonly Slice[], given: Given = {}): SliceWrites {
  const { entry = (clusterName) => ({ clusterName, reason: "" }), mode = DEFAULT_MODE } = given;
  const { lastScoreUpdateTime, now = "2026-03-01T12:00:00Z" } = given;
  const placement = { name: "placement1", scoreRateLimit: "1m", lastScoreUpdateTime };
  const hasScores = mode.writesScores;
  return writesOf({ placement, slices, decided, entry, hasScores, now: parseTimestamp(now) as Timestamp });
}

/** What is written if these clusters are selected, in one group. */
function select(decided: DecidedSlices, clusters: readonly string[], given: Given = {}): SliceWrites {
  const groups = [{ index: 0, name: "", clusters }];
  return ask(decided, cutSlices("placement1", groups, decided, given.mode ?? DEFAULT_MODE), given);
}

function slice(number: number, clusters: readonly string[], groupIndex = 0): Slice {
  return { name: `placement1-decision-${number}`, groupIndex, groupName: "", clusters };
}

/** Each write as `call number: clusters`; many clusters are only counted. */
function shown(writes: readonly SliceWrite[]): readonly string[] {
  return writes.map((write) => {
    const what = `${write.call} ${write.name.replace("placement1-decision-", "")}`;
    if (write.call !== "update") return what;
    const names = write.decisions.map(({ clusterName }) => clusterName);
    return `${what}: ${names.length > 9 ? `${names.length} from ${names[0]}` : names.join(" ")}`;
  });
}

describe.each(BOTH)("in mode $name", (mode) => {
  it("H1, H21: a slice is created, and then gets its clusters", () => {
    const { writes, wakeAt } = select(decidedAs(), ["c1", "c2"], { mode });
    expect(writes).toEqual([
      {
        call: "create",
        name: "placement1-decision-1",
        labels: {
          "cluster.open-cluster-management.io/placement": "placement1",
          "cluster.open-cluster-management.io/decision-group-name": "",
          "cluster.open-cluster-management.io/decision-group-index": "0",
        },
      },
      {
        call: "update",
        name: "placement1-decision-1",
        decisions: [
          { clusterName: "c1", reason: "" },
          { clusterName: "c2", reason: "" },
        ],
      },
    ]);
    expect(wakeAt).toBeUndefined();
  });

  it("H2: two slices", () => {
    const calls = shown(select(decidedAs(), numbered(101), { mode }).writes);
    expect(calls).toEqual(["create 1", "update 1: 100 from c001", "create 2", "update 2: c101"]);
  });

  it("H4: the labels of groups", () => {
    const canary = { name: "canary", matches: (cluster: string) => cluster > "c2" };
    const groups = cutGroups(["c1", "c2", "c3", "c4"], [canary], 2);
    const { writes } = ask(decidedAs(), cutSlices("placement1", groups, decidedAs(), mode), { mode });
    const labels = writes.map((write) => (write.call === "create" ? write.labels : undefined)).filter(Boolean);
    expect(labels).toEqual([sliceLabels("placement1", "canary", 0), sliceLabels("placement1", "", 1)]);
  });

  it("an empty slice is only created", () => {
    expect(shown(select(decidedAs(), [], { mode }).writes)).toEqual(["create 1"]);
  });

  it("H8, I12: what is there already is not written", () => {
    const decided = decidedAs([1, numbered(100)], [2, numbered(28, "d")]);
    const { writes, wakeAt } = select(decided, [...numbered(100), ...numbered(28, "d")], { mode });
    expect([writes, wakeAt]).toEqual([[], undefined]);
    expect(select(decidedAs([1, []]), [], { mode }).writes).toEqual([]);
  });

  it("H9: labels are repaired, and only these", () => {
    const decided = decidedAs([1, numbered(100), sliceLabels("placement1", "fakegroup", 0)]);
    const { writes } = select(decided, [...numbered(100), ...numbered(28, "d")], { mode });
    expect(shown(writes)).toEqual(["label 1", "create 2", "update 2: 28 from d001"]);
    expect(writes[0]).toEqual({ call: "label", name: "placement1-decision-1", labels: LABELS });
  });

  test.each([
    ["a foreign label", { ...LABELS, team: "blue" }],
    ["a missing label", { "cluster.open-cluster-management.io/placement": "placement1" }],
    ["another index", sliceLabels("placement1", "", 1)],
    ["as many others", { a: "placement1", b: "", c: "0" }],
  ])("H22: %s", (_, labels) => {
    const { writes } = select(decidedAs([1, ["c1"], labels]), ["c1"], { mode });
    expect(writes).toEqual([{ call: "label", name: "placement1-decision-1", labels: LABELS }]);
  });

  it("H10: less in one slice, the other deleted", () => {
    const calls = shown(select(decidedAs([1, numbered(100)], [2, numbered(28, "d")]), numbered(10), { mode }).writes);
    expect(calls).toEqual(["update 1: 10 from c001", "delete 2"]);
  });
});

describe("OCM's cut", () => {
  it("S8: where all clusters shift, the last slice is written first", () => {
    const decided = decidedAs([1, numbered(100)], [2, numbered(100, "d")], [3, ["e001"]]);
    const selected = ["a001", ...numbered(100), ...numbered(100, "d"), "e001"];
    expect(shown(select(decided, selected, { mode: OCM_MODE }).writes)).toEqual([
      "update 3: d100 e001",
      "update 2: 100 from c100",
      "update 1: 100 from a001",
    ]);
  });

  it("takes scores away at once", () => {
    const decided = decidedAs([1, [{ clusterName: "c1", reason: "", score: 7 }]]);
    const last = { lastScoreUpdateTime: "2026-03-01T12:00:00Z" };
    expect(select(decided, ["c1"], { mode: OCM_MODE, ...last })).toEqual({
      writes: [{ call: "update", name: "placement1-decision-1", decisions: [{ clusterName: "c1", reason: "" }] }],
      isMove: false,
    });
    expect(select(decidedAs([1, ["c1"]]), ["c1"], { mode: OCM_MODE }).writes).toEqual([]);
  });
});

describe("a PlacementDecision that is being deleted, and is kept by a finalizer", () => {
  it("is left by its clusters, which come to others first", () => {
    const decided = decidedAs([1, ["a", "b", "c"], LABELS, true], [2, ["d"]]);
    expect(shown(select(decided, ["a", "b", "d"]).writes)).toEqual(["update 2: a b d", "update 1: "]);
    const only = decidedAs([1, ["a"], LABELS, true]);
    expect(shown(select(only, ["a"]).writes)).toEqual(["create 2", "update 2: a", "update 1: "]);
  });

  it("was left by a cluster when writing was interrupted: that stays where it has come to", () => {
    const decided = decidedAs([1, ["c"], LABELS, true], [2, ["a"]], [3, ["b", "c"]]);
    expect(shown(select(decided, ["a", "b", "c"]).writes)).toEqual(["update 1: "]);
  });

  it("is neither filled nor deleted again when it is empty, and holds scores back no longer", () => {
    const decided = decidedAs([1, [], LABELS, true], [2, ["d"]]);
    expect(select(decided, ["d"])).toEqual({ writes: [], isMove: false });
    expect(shown(select(decided, ["d", "e"]).writes)).toEqual(["update 2: d e"]);
    expect(shown(select(decidedAs([1, [], LABELS, true]), []).writes)).toEqual(["create 2"]);
  });
});

describe("scores", () => {
  const decided = decidedAs([1, [{ clusterName: "c1", reason: "r", score: 1 }]], [2, ["d1", "d2"]]);
  const slices = [slice(1, ["c1"]), slice(2, ["d1", "d2"])];
  const soon = { lastScoreUpdateTime: "2026-03-01T11:59:30Z" };
  const later = { ...soon, now: "2026-03-01T12:00:30Z" };
  const withDecision = (entry: ClusterDecision) => ({
    entry: (clusterName: string) => (clusterName === entry.clusterName ? entry : { clusterName, reason: "" }),
  });
  const same = withDecision({ clusterName: "c1", reason: "r", score: 1 });

  test.each([
    ["another score", withDecision({ clusterName: "c1", reason: "r", score: 2 }), slices, "update 1: c1"],
    ["no score", withDecision({ clusterName: "c1", reason: "r" }), slices, "update 1: c1"],
    ["another reason", withDecision({ clusterName: "c1", reason: "s", score: 1 }), slices, "update 1: c1"],
    ["another order", same, [slice(1, ["c1"]), slice(2, ["d2", "d1"])], "update 2: d2 d1"],
  ])("%s waits until its time has come", (_, entry, wanted, call) => {
    const { writes, wakeAt } = ask(decided, wanted, { ...entry, ...soon });
    expect([writes, wakeAt]).toEqual([[], "2026-03-01T12:00:30Z"]);
    expect(ask(decided, wanted, entry).isMove).toBe(false);
    const then = ask(decided, wanted, { ...entry, ...later });
    expect([shown(then.writes), then.wakeAt]).toEqual([[call], undefined]);
    expect(shown(ask(decided, wanted, entry).writes)).toEqual([call]);
  });

  const other = withDecision({ clusterName: "c1", reason: "r", score: 2 });

  it("all are written at once when some cluster comes or goes", () => {
    const comes = ask(decided, [slice(1, ["c1"]), slice(2, ["d1", "d2", "d3"])], { ...other, ...soon });
    expect([shown(comes.writes), comes.wakeAt]).toEqual([["update 1: c1", "update 2: d1 d2 d3"], undefined]);
    expect(comes.isMove).toBe(true);
    const goes = ask(decided, [slice(1, ["c1"])], { ...other, ...soon });
    expect(shown(goes.writes)).toEqual(["update 1: c1", "delete 2"]);
    const replaced = ask(decided, [slice(1, ["c1"]), slice(2, ["d1", "d3"])], { ...other, ...soon });
    expect(shown(replaced.writes)).toEqual(["update 1: c1", "update 2: d1 d3"]);
  });

  it("a duplicate cluster in a slice is removed at once, unlike a changed score", () => {
    const twice = decidedAs([1, ["c1", "c1"]]);
    expect(shown(ask(twice, [slice(1, ["c1"])], soon).writes)).toEqual(["update 1: c1"]);
    const instead = decidedAs([1, ["c1", "c1"]]);
    expect(shown(ask(instead, [slice(1, ["c1", "c2"])], soon).writes)).toEqual(["update 1: c1 c2"]);
  });

  it("labels do not wait, and scores do not come with them", () => {
    const wanted = [slice(1, ["c1"], 1), slice(2, ["d1", "d2"])];
    const { writes, wakeAt } = ask(decided, wanted, { ...other, ...soon });
    expect([shown(writes), wakeAt]).toEqual([["label 1"], "2026-03-01T12:00:30Z"]);
  });

  it("nothing to write: nothing to wait for", () => {
    expect(ask(decided, slices, { ...same, ...soon })).toEqual({ writes: [], isMove: false });
  });
});

describe("slices that wait for each other", () => {
  it("exchange clusters where there is room", () => {
    const decided = decidedAs([1, ["a", "b"]], [2, ["x", "y"]]);
    expect(shown(ask(decided, [slice(1, ["a", "x"]), slice(2, ["b", "y"], 1)]).writes)).toEqual([
      "update 1: a b x",
      // x is never in the new group of slice 2, and b not in the old one.
      "update 2: y",
      "label 2",
      "update 2: b y",
      "update 1: a x",
    ]);
  });

  it("use a temporary slice where there is none", () => {
    const [c, d] = [numbered(99), numbered(99, "d")];
    const decided = decidedAs([1, [...c, "x"]], [2, [...d, "y"], sliceLabels("placement1", "late", 1)]);
    const { writes } = ask(decided, [slice(1, [...c, "y"]), slice(2, [...d, "x"], 1), slice(3, ["new"])]);
    expect(shown(writes)).toEqual([
      "create 3",
      "update 3: new",
      "create 4",
      "update 4: y",
      "update 2: 99 from d001",
      "label 2",
      "update 2: 100 from d001",
      "update 1: 100 from c001",
      "delete 4",
    ]);
    expect(writes[2]).toMatchObject({ labels: sliceLabels("placement1", "late", 1) });
  });

  it("use a temporary slice where that takes fewer calls", () => {
    const decided = decidedAs([1, ["a"]], [2, ["b", "c", "d", "e"]], [3, ["x"]], [4, ["y"]], [5, ["z"]]);
    const wanted = [slice(1, ["b"]), slice(2, ["a", "x", "y", "z"]), slice(3, ["c"]), slice(4, ["d"]), slice(5, ["e"])];
    expect(shown(ask(decided, wanted).writes)).toEqual([
      "create 6",
      "update 6: b c d e",
      "update 2: a x y z",
      "update 5: e",
      "update 4: d",
      "update 3: c",
      "update 1: b",
      "delete 6",
    ]);
  });

  it("use several where a slice was too long", () => {
    const [c, d, e] = [numbered(120), numbered(100, "d"), numbered(100, "e")];
    const wanted = [
      slice(1, c.slice(0, 100)),
      slice(2, ["d001", ...e.slice(0, 99)]),
      slice(3, c.slice(100)),
      slice(4, [...d.slice(1), "e100"]),
    ];
    expect(shown(ask(decidedAs([1, d], [2, c], [3, e]), wanted).writes)).toEqual([
      "create 4",
      "update 4: 100 from d002",
      "create 5",
      "update 5: 100 from c001",
      "create 6",
      "update 6: 20 from c101",
      "update 2: 100 from d001",
      "update 3: 20 from c101",
      "update 1: 100 from c001",
      "delete 5",
      "delete 6",
    ]);
  });
});

test.each([
  ["1m", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:00Z"],
  ["1m", "2026-03-01T12:00:00Z", "2026-03-01T12:01:00Z", undefined],
  ["1m", "2026-03-01T12:00:00Z", "2026-03-01T12:00:59.999Z", "2026-03-01T12:01:00Z"],
  ["90s", "2026-03-01T12:00:00.25Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:30.25Z"],
  ["2h", "2026-03-01T14:00:00+02:00", "2026-03-01T12:00:00Z", "2026-03-01T14:00:00Z"],
  ["0s", "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z", undefined],
  // A generous limit: one minute.
  ["often", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:00Z"],
  ["-5m", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:00Z"],
  ["", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "2026-03-01T12:01:00Z"],
  // Beyond all calendars.
  [`${"9".repeat(500)}h`, "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "9999-12-31T23:59:59Z"],
  ["99999999h", "2026-03-01T12:00:00Z", "2026-03-01T12:00:30Z", "9999-12-31T23:59:59Z"],
  // No last time, or none that could be true.
  ["1m", undefined, "2026-03-01T12:00:30Z", undefined],
  ["1m", "yesterday", "2026-03-01T12:00:30Z", undefined],
  ["1m", "2031-01-01T00:00:00Z", "2026-03-01T12:00:30Z", undefined],
])("scores that may be written every %s, last at %s, at %s: %s", (scoreRateLimit, lastScoreUpdateTime, now, due) => {
  const found = scoresDueAt({ scoreRateLimit, lastScoreUpdateTime }, parseTimestamp(now) as Timestamp);
  expect(found?.toString()).toBe(due);
});
