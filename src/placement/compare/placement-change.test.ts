import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chosen, cluster } from "../../../test/placement/sample-placement.ts";
import { placementNameOf } from "../placement-name.ts";
import { type PlacementAnswers, placementChanges, readRemovalLimit } from "./placement-change.ts";

/** A world in which each Placement has selected some clusters; all others that are named are left over. */
function world(selected: Readonly<Record<string, readonly string[]>>, known: readonly string[] = []): PlacementAnswers {
  const report = (key: string, name: string) => {
    const names = selected[key];
    if (names === undefined) return undefined;
    if (names.includes(name)) return chosen(name, 1, 100);
    return known.includes(name) ? cluster(name, "left", { rank: 7 }) : undefined;
  };
  return {
    keys: () => Object.keys(selected),
    result: (key) => selected[key] && { placement: placementNameOf(key) },
    decisions: (key) => selected[key] && { selected: selected[key] },
    report,
  };
}

function limit(text: string) {
  const read = readRemovalLimit(text);
  if (read === undefined) throw new Error(`${text} is no limit`);
  return read;
}

test("what is lost and gained has the report of the other side", () => {
  const known = ["a", "b", "c"];
  const [change] = placementChanges(world({ "n/p": ["a", "b"] }, known), world({ "n/p": ["b", "c"] }, known));
  expect(change).toMatchObject({ key: "n/p", kept: 1, before: 2, after: 2, isNew: false, isGone: false });
  expect(change?.exceeded).toBeUndefined();
  expect(change?.lost).toMatchObject([{ name: "a", report: { name: "a", verdict: "left" } }]);
  expect(change?.gained).toMatchObject([{ name: "c", report: { name: "c", verdict: "left" } }]);
});

test("Placements that come and go are changes too, in the order of keys", () => {
  const changes = placementChanges(world({ "n/old": ["a"], "n/a": [] }), world({ "n/new": ["b"], "n/a": [] }));
  expect(changes.map(({ key, namespace, name, isNew, isGone }) => [key, namespace, name, isNew, isGone])).toEqual([
    ["n/a", "n", "a", false, false],
    ["n/new", "n", "new", true, false],
    ["n/old", "n", "old", false, true],
  ]);
  expect(changes[2]?.lost).toStrictEqual([{ name: "a" }]);
});

test("a change has the basis on which the past is known", () => {
  const now = world({ "n/a": [], "n/b": ["x"] });
  const before: PlacementAnswers = {
    ...now,
    result: (key) => ({ placement: placementNameOf(key), ...(key === "n/b" && { basis: "assumed" as const }) }),
  };
  expect(placementChanges(before, now).map(({ basis }) => basis)).toEqual(["given", "assumed"]);
});

test("a cluster with a hostile name is a cluster", () => {
  const [change] = placementChanges(world({ "n/p": ["__proto__"] }), world({ "n/p": [] }));
  expect(change?.lost.map(({ name }) => name)).toEqual(["__proto__"]);
});

describe("a limit", () => {
  test.each([
    ["5", { text: "5", amount: 5, isShare: false }],
    ["0", { text: "0", amount: 0, isShare: false }],
    ["10%", { text: "10%", amount: 10, isShare: true }],
    ["100%", { text: "100%", amount: 100, isShare: true }],
    ["101%", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["", undefined],
    ["5 %", undefined],
    ["%", undefined],
    ["9999999999", undefined],
  ])("%s", (text, expected) => {
    expect(readRemovalLimit(text)).toEqual(expected);
  });

  const TEN = Array.from({ length: 10 }, (_, index) => `c${index}`);
  test.each<[string, number, boolean]>([
    ["3", 3, false],
    ["2", 3, true],
    ["0", 0, false],
    ["0", 1, true],
    ["30%", 3, false],
    ["29%", 3, true],
    ["0%", 0, false],
    ["100%", 10, false],
  ])("%s, and %i of 10 are lost", (text, lost, isExceeded) => {
    const [change] = placementChanges(world({ "n/p": TEN }), world({ "n/p": TEN.slice(lost) }), limit(text));
    expect(change?.exceeded?.text).toBe(isExceeded ? text : undefined);
  });

  test("a share of nothing is not exceeded", () => {
    const [change] = placementChanges(world({ "n/p": [] }), world({ "n/p": ["a"] }), limit("0%"));
    expect(change?.exceeded).toBeUndefined();
  });
});

test("law: before − lost + gained = after, and nothing is in both", () => {
  const names = fc.uniqueArray(fc.constantFrom<string>("a", "b", "c", "d", "e", "f"));
  fc.assert(
    fc.property(names, names, (before, after) => {
      const [change] = placementChanges(world({ "n/p": before }), world({ "n/p": after }));
      const lost = change?.lost.map(({ name }) => name) ?? [];
      const gained = change?.gained.map(({ name }) => name) ?? [];
      expect(new Set([...before.filter((name) => !lost.includes(name)), ...gained])).toEqual(new Set(after));
      expect(lost.filter((name) => after.includes(name))).toEqual([]);
      expect(gained.filter((name) => before.includes(name))).toEqual([]);
      expect(change?.kept).toBe(before.length - lost.length);
      expect(lost).toEqual(lost.toSorted());
      expect(gained).toEqual(gained.toSorted());
    }),
  );
});
