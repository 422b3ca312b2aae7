import { describe, expect, test } from "vitest";
import type { LockedChange, LockedPlan } from "../../model/lock.ts";
import { nearestGenerations, stateBefore, subscriptionsBefore } from "./states.ts";

function change(name: string, more: Partial<LockedChange>): LockedChange {
  return { package: name, alsoFrom: [], subscriptions: [], ...more };
}

function planOf(installed: readonly string[], ...generations: readonly (readonly LockedChange[])[]): LockedPlan {
  return {
    namespace: "ns",
    inputs: installed.map((subject) => ({ kind: "installed", subject, digest: "" })),
    packages: [],
    bundles: [],
    generations: generations.map((changes) => ({ steps: changes.map((one) => [one]) })),
    end: "done",
  };
}

/** Oil comes, a lamp takes the place of two, oil goes, and comes again. */
const PLAN: LockedPlan = planOf(
  ["lamp.v1", "lantern.v1"],
  [change("oil", { to: "oil.v1", subscriptions: ["oil"] })],
  [change("lamp", { from: "lamp.v1", alsoFrom: ["lantern.v1"], to: "lamp.v2" })],
  [change("oil", { from: "oil.v1", subscriptions: ["oil"] })],
  [change("oil", { to: "oil.v2", subscriptions: ["oil"] })],
);

describe("what runs before a generation", () => {
  test.each([
    [0, ["lamp.v1", "lantern.v1"]],
    [1, ["lamp.v1", "lantern.v1", "oil.v1"]],
    [2, ["lamp.v2", "oil.v1"]],
    [3, ["lamp.v2"]],
    [4, ["lamp.v2", "oil.v2"]],
    [9, ["lamp.v2", "oil.v2"]],
  ])("%i", (index, names) => {
    expect([...stateBefore(PLAN, index)].sort()).toEqual(names);
    const running = new Set(names);
    expect(nearestGenerations([{ running, locked: PLAN }])).toEqual({ indexes: [Math.min(index, 4)], isExact: true });
  });

  test.each([
    [0, [], []],
    [1, ["ns/oil"], []],
    [3, [], ["ns/oil"]],
    [4, ["ns/oil"], []],
  ])("%i: Subscriptions that came, and that went", (index, come, gone) => {
    const found = subscriptionsBefore(PLAN, index);
    expect([...found.come]).toEqual(come);
    expect([...found.gone]).toEqual(gone);
  });
});

describe("before which generation are we", () => {
  test("the nearest one, where none fits", () => {
    expect(nearestGenerations([{ running: new Set(["lamp.v2", "oil.v1", "gong.v1"]), locked: PLAN }])).toEqual({
      indexes: [2],
      isExact: false,
    });
    expect(nearestGenerations([{ running: new Set(), locked: PLAN }])).toEqual({ indexes: [3], isExact: false });
  });

  test("any generation that matches, while only others move", () => {
    const waiting = planOf(["buoy.v1"], [], [], [change("buoy", { from: "buoy.v1", to: "buoy.v2" })]);
    const standing = { running: new Set(["buoy.v1"]), locked: waiting };
    expect(nearestGenerations([standing]).indexes).toEqual([0, 1, 2]);
    const other = { running: new Set(["lamp.v1", "lantern.v1", "oil.v1"]), locked: PLAN };
    expect(nearestGenerations([standing, other])).toEqual({ indexes: [1], isExact: true });
  });

  test("one whose plan is over stays as it is", () => {
    const short = { running: new Set(["bell.v1"]), locked: planOf(["bell.v1"]) };
    const other = { running: new Set(["lamp.v2"]), locked: PLAN };
    expect(nearestGenerations([short, other])).toEqual({ indexes: [3], isExact: true });
  });

  test("before the first, without namespaces", () => {
    expect(nearestGenerations([])).toEqual({ indexes: [0], isExact: true });
  });
});
