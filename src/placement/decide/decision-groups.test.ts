// Are the selected clusters cut into the groups that OCM would make, and where not, is that on purpose?

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { DEFAULT_MODE, OCM_MODE } from "../placement-mode.ts";
import { cutGroups, groupLength, type NamedGroup } from "./decision-groups.ts";

const BOTH = [DEFAULT_MODE, OCM_MODE];

function numbered(count: number, prefix = "c"): readonly string[] {
  return Array.from({ length: count }, (_, at) => prefix + String(at + 1).padStart(3, "0"));
}

function named(name: string, ...clusters: readonly string[]): NamedGroup {
  return { name, matches: (cluster) => clusters.includes(cluster) };
}

/** Each group as `name/index: clusters`. */
function shown(groups: ReturnType<typeof cutGroups>): readonly string[] {
  return groups.map(({ name, index, clusters }) => `${name}/${index}: ${clusters.join(" ")}`);
}

describe("the length of a group", () => {
  test.each([
    // S17: doubles lose a bit, and the next whole number is one too many.
    ["7%", 100, 7, 8],
    ["14%", 50, 7, 8],
    ["55%", 100, 55, 56],
    ["25%", 4, 1, 1],
    ["33%", 10, 4, 4],
    ["1%", 1, 1, 1],
    ["100%", 17, 17, 17],
    ["2.5%", 40, 1, 1],
    ["2.50%", 41, 2, 2],
    // H16: out of range.
    [500, 20, 20, 20],
    [21, 20, 20, 20],
    [0, 20, 20, 20],
    [-3, 20, 20, 20],
    ["0%", 20, 20, 20],
    ["500%", 20, 20, 20],
    [1, 4, 1, 1],
    [20, 20, 20, 20],
    ["50%", 0, 0, 0],
    [3, 0, 0, 0],
  ])("%s of %s clusters: %s, with OCM %s", (size, total, ours, theirs) => {
    expect(groupLength(size, total, DEFAULT_MODE)).toBe(ours);
    expect(groupLength(size, total, OCM_MODE)).toBe(theirs);
  });

  // H17: the API server would not let these in.
  test.each([
    "abc",
    "",
    "%",
    "5",
    "-5%",
    "5 %",
    "5%%",
    " 5%",
    "1e1%",
    "0x1%",
    "5.%",
    ".5%",
    "٥%",
    "9".repeat(100_000),
    `${"9".repeat(10)}%`,
  ])("%s is no share", (size) => {
    for (const mode of BOTH) expect(groupLength(size, 100, mode)).toBeUndefined();
  });

  it("is the smallest number that is no less than the share", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 200_000 }), (share, total) => {
        const length = groupLength(`${share}%`, total, DEFAULT_MODE) as number;
        expect(length * 100).toBeGreaterThanOrEqual(share * total);
        expect((length - 1) * 100).toBeLessThan(share * total);
      }),
    );
  });
});

describe("the groups", () => {
  it("H4: a canary group, 25 % in each", () => {
    const clusters = ["c1", "c2", "c3", "c4"];
    const length = groupLength("25%", clusters.length, DEFAULT_MODE) as number;
    const groups = cutGroups(clusters, [named("canary", "c3", "c4")], length);
    expect(shown(groups)).toEqual(["canary/0: c3", "canary/1: c4", "/2: c1", "/3: c2"]);
  });

  it("H5: a canary group without clusters is no group", () => {
    expect(shown(cutGroups(["c1", "c2", "c3"], [named("canary")], 3))).toEqual(["/0: c1 c2 c3"]);
  });

  it("H6: two groups and no rest", () => {
    const groups = cutGroups(["c1", "c2", "c3"], [named("group1", "c1", "c2"), named("group2", "c3")], 3);
    expect(shown(groups)).toEqual(["group1/0: c1 c2", "group2/1: c3"]);
  });

  it("H12: one cluster in each", () => {
    const groups = cutGroups(["c1", "c2", "c3", "c4"], [named("canary", "c3", "c4")], 1);
    expect(shown(groups)).toEqual(["canary/0: c3", "canary/1: c4", "/2: c1", "/3: c2"]);
  });

  it("H13: the example of OCM's documentation", () => {
    const clusters = [...numbered(10, "east"), ...numbered(290, "other"), ...numbered(10, "west")];
    const starting = (name: string): NamedGroup => ({ name, matches: (cluster) => cluster.startsWith(name) });
    const groups = cutGroups(clusters, [starting("west"), starting("east")], groupLength(150, 310, OCM_MODE) as number);
    expect(groups.map(({ name, clusters: { length } }) => [name, length])).toEqual([
      ["west", 10],
      ["east", 10],
      ["", 150],
      ["", 140],
    ]);
  });

  it("H14: a cluster goes to the first group that takes it", () => {
    const groups = cutGroups(["c1", "c2"], [named("first", "c2"), named("second", "c1", "c2")], 2);
    expect(shown(groups)).toEqual(["first/0: c2", "second/1: c1"]);
  });

  it("H16: for any length, groups of at least one cluster", () => {
    expect(shown(cutGroups(["c1", "c2"], [], 0))).toEqual(["/0: c1", "/1: c2"]);
    expect(shown(cutGroups(["c1", "c2"], [], 9))).toEqual(["/0: c1 c2"]);
    for (const mode of BOTH) expect(cutGroups(numbered(20), [], groupLength(500, 20, mode) as number)).toHaveLength(1);
  });

  it("M8: the order of each group, and of the rest before it is cut, is that of the selected clusters", () => {
    const byScore = ["c4", "c1", "c5", "c3", "c2"];
    const groups = cutGroups(byScore, [named("canary", "c1", "c3")], 2);
    expect(shown(groups)).toEqual(["canary/0: c1 c3", "/1: c4 c5", "/2: c2"]);
  });

  it("no cluster: one empty group", () => {
    expect(cutGroups([], [named("canary")], 0)).toEqual([{ index: 0, name: "", clusters: [] }]);
  });
});
