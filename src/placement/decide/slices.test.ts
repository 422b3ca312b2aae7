// Does a cluster keep its PlacementDecision while it is selected, and is everything else as OCM would have it?

import { describe, expect, it } from "vitest";
import { DEFAULT_MODE, OCM_MODE } from "../placement-mode.ts";
import type { Group, Slice } from "../placement-result.ts";
import { DecidedSlices, sliceLabels } from "./decided-slices.ts";
import { cutGroups } from "./decision-groups.ts";
import { cutSlices } from "./slices.ts";

const BOTH = [DEFAULT_MODE, OCM_MODE];

function numbered(count: number, prefix = "c"): readonly string[] {
  return Array.from({ length: count }, (_, at) => prefix + String(at + 1).padStart(3, "0"));
}

/** The slices so far: by number or name, `[group index, clusters]`. */
function decidedAs(slices: Readonly<Record<string, readonly [number, readonly string[]]>>): DecidedSlices {
  const decisions = Object.entries(slices).map(([name, [index, clusters]]) => ({
    place: { source: "x", line: 1, column: 1 },
    namespace: "ns1",
    name: /^\d+$/.test(name) ? `p-decision-${name}` : name,
    labels: sliceLabels("p", "", index),
    decisions: clusters.map((clusterName) => ({ clusterName, reason: "" })),
  }));
  return new DecidedSlices("p", decisions);
}

const NONE = decidedAs({});

function groupsOf(...groups: readonly (readonly string[])[]): readonly Group[] {
  return groups.map((clusters, index) => ({ index, name: "", clusters }));
}

/** Each slice as `number/group: clusters`; many clusters are only counted. */
function shown(slices: readonly Slice[]): readonly string[] {
  return slices.map(({ name, groupIndex, clusters }) => {
    const members = clusters.length > 9 ? `${clusters.length} from ${clusters[0]}` : clusters.join(" ");
    return `${name.replace("p-decision-", "")}/${groupIndex}: ${members}`;
  });
}

function stable(decided: DecidedSlices, ...groups: readonly (readonly string[])[]): readonly string[] {
  return shown(cutSlices("p", groupsOf(...groups), decided, DEFAULT_MODE));
}

describe("a group that is changed", () => {
  const slices = (groups: readonly Group[], decided: DecidedSlices) =>
    cutSlices("p", groups, decided, DEFAULT_MODE).map(
      ({ name, groupName, groupIndex, clusters }) => `${name} ${groupName}/${groupIndex}: ${clusters.join(" ")}`,
    );
  const canary = (first: readonly string[], rest: readonly string[]): readonly Group[] => [
    { index: 0, name: "canary", clusters: first },
    { index: 1, name: "", clusters: rest },
  ];

  it("leaves the slice to the clusters that stay in the group, even to a single one", () => {
    expect(slices(canary(["a"], ["b"]), decidedAs({ 1: [0, ["a", "b"]] }))).toEqual([
      "p-decision-2 canary/0: a",
      "p-decision-1 /1: b",
    ]);
    expect(slices(canary(["a", "b", "c"], ["d"]), decidedAs({ 1: [0, ["a", "b", "c", "d"]] }))).toEqual([
      "p-decision-2 canary/0: a b c",
      "p-decision-1 /1: d",
    ]);
  });

  it("takes its slice along if no cluster stays", () => {
    expect(slices(canary(["a", "b"], ["z"]), decidedAs({ 1: [0, ["a", "b"]] }))).toEqual([
      "p-decision-1 canary/0: a b",
      "p-decision-2 /1: z",
    ]);
  });
});

describe("without decisions so far, in both modes", () => {
  const cut = (groups: readonly Group[]) => {
    const [ours, theirs] = BOTH.map((mode) => cutSlices("p", groups, NONE, mode));
    expect(ours).toEqual(theirs);
    return ours as readonly Slice[];
  };

  it("H1: ten clusters are one slice", () => {
    expect(cut(groupsOf(numbered(10)))).toEqual([
      { name: "p-decision-1", groupIndex: 0, groupName: "", clusters: numbered(10) },
    ]);
  });

  it("H2: 101 clusters are two slices", () => {
    expect(shown(cut(groupsOf(numbered(101))))).toEqual(["1/0: 100 from c001", "2/0: c101"]);
    expect(shown(cut(groupsOf(numbered(200))))).toEqual(["1/0: 100 from c001", "2/0: 100 from c101"]);
  });

  it("H4, H12: a slice for each group", () => {
    const canary = { name: "canary", matches: (cluster: string) => cluster > "c2" };
    const slices = cut(cutGroups(["c1", "c2", "c3", "c4"], [canary], 1));
    expect(shown(slices)).toEqual(["1/0: c3", "2/1: c4", "3/2: c1", "4/3: c2"]);
    expect(slices.map(({ groupName }) => groupName)).toEqual(["canary", "canary", "", ""]);
  });

  it("H13: numbers go on from group to group", () => {
    const slices = cut(groupsOf(numbered(10, "w"), numbered(10, "e"), numbered(150, "x"), numbered(140, "y")));
    const sizes = ["1/0: 10", "2/1: 10", "3/2: 100", "4/2: 50", "5/3: 100", "6/3: 40"];
    expect(shown(slices).map((line) => line.replace(/ from.*/, ""))).toEqual(sizes);
  });

  it("nothing selected: one empty slice", () => {
    expect(shown(cut(groupsOf([])))).toEqual(["1/0: "]);
  });
});

describe("with decisions so far", () => {
  it("a new cluster shifts no other; with OCM it shifts all (S8)", () => {
    const decided = decidedAs({ 1: [0, numbered(100)], 2: [0, numbered(28, "d")] });
    const selected = ["a001", ...numbered(100), ...numbered(28, "d")];
    expect(stable(decided, selected)).toEqual(["1/0: 100 from c001", "2/0: 29 from a001"]);
    const anew = cutSlices("p", groupsOf(selected), decided, OCM_MODE);
    expect(shown(anew)).toEqual(["1/0: 100 from a001", "2/0: 29 from c100"]);
  });

  it("H10: what is no longer selected leaves; an empty slice goes", () => {
    const decided = decidedAs({ 1: [0, numbered(100)], 2: [0, numbered(28, "d")] });
    expect(stable(decided, numbered(10))).toEqual(["1/0: 10 from c001"]);
    expect(stable(decided, ["d001"])).toEqual(["2/0: d001"]);
    expect(shown(cutSlices("p", groupsOf(["d001"]), decided, OCM_MODE))).toEqual(["1/0: d001"]);
  });

  it("slices are not put together while their clusters stay", () => {
    const decided = decidedAs({ 1: [0, ["a"]], 2: [0, ["b"]], 7: [0, ["c"]] });
    expect(stable(decided, ["a", "b", "c"])).toEqual(["1/0: a", "2/0: b", "7/0: c"]);
  });

  it("new ones fill holes by number, then empty slices, then slices with free numbers", () => {
    const decided = decidedAs({ 2: [0, ["x"]], 4: [0, numbered(99)], 5: [0, ["y"]], foreign: [0, ["z"]], 9: [0, []] });
    const fresh = numbered(310, "n");
    const slices = cutSlices("p", groupsOf([...numbered(99), ...fresh, "z"]), decided, DEFAULT_MODE);
    expect(shown(slices)).toEqual([
      "2/0: 100 from n101",
      "4/0: 100 from c001",
      "5/0: 100 from n201",
      "9/0: 10 from n301",
      "foreign/0: 100 from n002",
    ]);
    const more = cutSlices("p", groupsOf([...numbered(99), ...numbered(501, "n"), "z"]), decided, DEFAULT_MODE);
    expect(shown(more)).toEqual([
      "1/0: 100 from n401",
      "2/0: 100 from n101",
      "3/0: n501",
      "4/0: 100 from c001",
      "5/0: 100 from n201",
      "9/0: 100 from n301",
      "foreign/0: 100 from n002",
    ]);
  });

  it("with nothing selected, the lowest slice stays, empty", () => {
    const decided = decidedAs({ 3: [2, ["a"]], 5: [0, []], foreign: [0, ["b"]] });
    expect(stable(decided, [])).toEqual(["3/0: "]);
    expect(stable(decidedAs({ foreign: [0, ["b"]] }), [])).toEqual(["foreign/0: "]);
  });

  it("a shift of the groups only relabels", () => {
    const decided = decidedAs({ 1: [0, ["a", "b"]], 2: [1, ["c", "d"]], 3: [2, ["e"]] });
    expect(stable(decided, ["c", "d"], ["e"])).toEqual(["2/0: c d", "3/1: e"]);
  });

  it("a slice belongs to the group that most of its clusters are in; the others move", () => {
    const decided = decidedAs({ 1: [0, ["a", "b", "c"]], 2: [1, ["d"]] });
    expect(stable(decided, ["a"], ["b", "c", "d"])).toEqual(["3/0: a", "1/1: b c", "2/1: d"]);
    expect(stable(decided, ["a", "d"], ["b", "c"])).toEqual(["2/0: a d", "1/1: b c"]);
  });

  it("of equally many, the group of its labels counts, or else the first", () => {
    const halves = [["x"], ["a"], ["b"]];
    expect(stable(decidedAs({ 1: [2, ["a", "b"]] }), ...halves)).toEqual(["2/0: x", "3/1: a", "1/2: b"]);
    expect(stable(decidedAs({ 1: [1, ["a", "b"]] }), ...halves)).toEqual(["2/0: x", "1/1: a", "3/2: b"]);
    expect(stable(decidedAs({ 1: [0, ["a", "b"]] }), ...halves)).toEqual(["2/0: x", "1/1: a", "3/2: b"]);
  });

  it("a cluster in two slices stays in the first", () => {
    const decided = decidedAs({ 1: [0, ["a", "b"]], 2: [0, ["b", "c", "b"]], 3: [0, ["a"]] });
    expect(stable(decided, ["a", "b", "c"])).toEqual(["1/0: a b", "2/0: c"]);
  });

  it("what is too much for a slice moves", () => {
    const decided = decidedAs({ 1: [0, numbered(130)], 2: [0, ["x"]] });
    expect(stable(decided, [...numbered(130), "x"])).toEqual(["1/0: 100 from c001", "2/0: 31 from c101"]);
  });

  it("the order in a slice is that of its group", () => {
    const decided = decidedAs({ 1: [0, ["a", "b"]], 2: [0, ["c", "d"]] });
    expect(stable(decided, ["d", "b", "e", "c", "a"])).toEqual(["1/0: b e a", "2/0: d c"]);
  });

  it("OCM without groups, as when a group is misconfigured: no slice at all (H17, H18)", () => {
    expect(cutSlices("p", [], decidedAs({ 1: [0, ["a"]] }), OCM_MODE)).toEqual([]);
  });
});
