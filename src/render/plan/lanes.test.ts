import { describe, expect, test } from "vitest";
import { change, generationsOf, plan, run, runs, step, VOYAGE, versions } from "../../../test/plan/sample-plan.ts";
import { PLAIN, RICH, ref } from "../../../test/resolve/sample-resolution.ts";
import type { Plan } from "../../plan/plan.ts";
import { lanesOf } from "./lanes.ts";
import { runText, steadyStretches, stretchesOf } from "./stretches.ts";

describe("lanes", () => {
  test("an operator keeps its lane when its package is renamed", () => {
    const steps = generationsOf(
      run("oakum", ["1.8.0", "1.9.0"]),
      new Map([[2, step([change("oakum 1.9.0", "hull-caulk 2.0.0")])]]),
      run("hull-caulk", ["2.0.0", "2.1.0"], 3),
    );
    const lanes = lanesOf(plan(steps));
    expect(lanes.map(({ package: name, start, moves }) => [name, start?.name, moves.length])).toEqual([
      ["hull-caulk", "oakum.v1.8.0", 3],
    ]);
    expect(lanes[0]?.moves.map(({ isOrdinary }) => isOrdinary)).toEqual([true, false, true]);
    expect(runText(lanes[0]?.moves ?? [])).toBe("1.8.0 → 1.9.0 → hull-caulk 2.0.0 → 2.1.0");
  });

  test("an operator that makes room ends there", () => {
    const gong = change("gong 1.0.0", "gong 2.0.0", { alsoFrom: [runs("cymbal 0.9.0")] });
    const lanes = lanesOf(plan(generationsOf(new Map([[1, step([gong])]]))));
    expect(lanes.map(({ package: name, end, moves }) => [name, end?.kind, moves.length])).toEqual([
      ["cymbal", "gives-way", 0],
      ["gong", undefined, 1],
    ]);
    expect(lanes[1]?.moves[0]?.isOrdinary).toBe(false);
  });

  test("those that would move have a lane, too", () => {
    const after = [runs("crane 1.0.0")];
    const lanes = lanesOf(plan([], { last: RICH, after }));
    expect(lanes.map(({ package: name, start, end }) => [name, start?.name, end?.kind])).toEqual([
      ["compass", undefined, "refused"],
      ["crane", "crane.v1.0.0", "waiting"],
      ["lantern", undefined, "held-back"],
      ["rope", undefined, "waiting"],
      ["sonar", undefined, "refused"],
    ]);
  });

  test("orphans have one, unless the plan removes them or leads to a target", () => {
    const orphans = [{ package: "gaff", name: "gaff.v0.4.0", requests: [], inUse: [], neededBy: undefined }];
    const after = [runs("gaff 0.4.0")];
    const ends = (one: Partial<Plan>, steps = generationsOf()): readonly unknown[] =>
      lanesOf(plan(steps, { orphans, after, ...one })).map(({ start, end }) => [start?.name, end?.kind]);
    expect(ends({})).toEqual([["gaff.v0.4.0", "orphan"]]);
    expect(ends({}, generationsOf(run("gaff", ["0.3.0", "0.4.0"])))).toEqual([["gaff.v0.3.0", "orphan"]]);
    expect(ends({}, generationsOf(new Map([[1, step([change("gaff 0.4.0", undefined)])]])))).toEqual([
      ["gaff.v0.4.0", undefined],
    ]);
    expect(ends({ target: { request: { package: "bell" }, isReached: true, explanation: undefined } })).toEqual([]);
  });

  test("an operator that moved and is then held back has one lane", () => {
    const steps = generationsOf(run("lantern", ["1.0.0", "1.2.0"]));
    const lanes = lanesOf(plan(steps, { last: { ...PLAIN, heldBack: RICH.heldBack } }));
    expect(lanes.map(({ moves, end }) => [moves.length, end?.kind])).toEqual([[1, "held-back"]]);
  });

  test("of two operators of a package the one that is held back is held back", () => {
    const steps = generationsOf(run("lantern", ["1.0.0", "1.2.0"]), run("lantern", ["2.0.0", "2.1.0"]));
    const lanes = lanesOf(plan(steps, { last: { ...PLAIN, heldBack: RICH.heldBack } }));
    expect(lanes.map(({ start, end }) => [start?.name, end?.kind])).toEqual([
      ["lantern.v1.0.0", "held-back"],
      ["lantern.v2.0.0", undefined],
    ]);
  });

  test("an operator that is held back for more than an approval is not shown as waiting", () => {
    const changes = [{ package: "lantern", from: ref("lantern", "1.2.0"), to: ref("lantern", "1.9.0") }];
    const pendingApproval = [{ requests: [], changes, awaiting: [] }];
    const lanes = lanesOf(plan([], { last: { ...PLAIN, heldBack: RICH.heldBack, pendingApproval } }));
    expect(lanes.map(({ end }) => end?.kind)).toEqual(["held-back"]);
  });

  test("their order is that of names, for any order of steps", () => {
    const lane = (name: string): ReadonlyMap<number, ReturnType<typeof step>> => run(name, versions(2));
    const names = (...order: readonly string[]): readonly string[] =>
      lanesOf(plan(generationsOf(...order.map(lane)))).map((one) => one.package);
    expect(names("b", "a", "c")).toEqual(names("c", "b", "a"));
  });
});

test("stretches: quiet generations in a row are one, those in which nothing moves do not part them", () => {
  const steps = generationsOf(
    run("bell", versions(3)),
    run("gong", versions(2), 4),
    new Map([[5, step([change(undefined, "oil 1.0.0")])]]),
    run("drum", versions(3), 6),
  );
  expect(stretchesOf(lanesOf(plan(steps)))).toEqual([
    { first: 1, last: 4 },
    { first: 5, last: 5 },
    { first: 6, last: 7 },
  ]);
  expect(steadyStretches(lanesOf(plan(steps)))).toEqual([
    { first: 1, last: 2 },
    { first: 4, last: 4 },
    { first: 5, last: 5 },
    { first: 6, last: 7 },
  ]);
  expect(stretchesOf(lanesOf(VOYAGE)).map(({ first }) => first)).toEqual([1, 2, 3, 4, 5, 6]);
});

test.each([
  [2, "0.0.0 → 0.1.0"],
  [4, "0.0.0 → 0.1.0 → 0.2.0 → 0.3.0"],
  [9, versions(9).join(" → ")],
  [10, "0.0.0 → … → 0.9.0, 9 steps"],
  [237, "0.0.0 → … → 0.236.0, 236 steps"],
])("a run of %i versions", (count, expected) => {
  expect(
    runText(
      [...run("bell", versions(count)).values()].flatMap(({ changes }) => changes.map((one) => ({ change: one }))),
    ),
  ).toBe(expected);
});
