// Is a plan still the locked one while it is carried out? Before each generation, and after the last, the answer is held
// against what was locked for it.

import { describe, expect, test } from "vitest";
import { readLock } from "../../src/input/read-lock.ts";
import type { Lock, LockComparison } from "../../src/model/lock.ts";
import type { Problem } from "../../src/model/problem.ts";
import { compareWithLock, compareWithLockedGeneration } from "../../src/plan/lock/compare-lock.ts";
import { makeLock } from "../../src/plan/lock/make-lock.ts";
import { printLock } from "../../src/plan/lock/print-lock.ts";
import { findPlans, makePlan } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type PlanOptions } from "../../src/plan/plan.ts";
import { differenceText } from "../../src/render/sentence/lock.ts";
import type { Resolution } from "../../src/resolve/resolution.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { catalogOf } from "../catalog/lantern-catalog.ts";
import { afterOthers } from "../resolve/after-others.ts";
import { packageDocuments, recorded, subscription } from "../resolve/prepare-given.ts";
import { generatePlanWorld } from "../worlds/generate-plan.ts";
import { DOCUMENTS, harbour, OPERATORS, planOf, problemOf, SUBSCRIPTIONS } from "./locked-harbour.ts";

/** The problems once some generations of their plans have been carried out. */
function carriedOn(
  problems: readonly Problem[],
  generations: number,
  options: Partial<PlanOptions> = {},
): readonly Problem[] {
  if (generations === 0) return problems;
  const plans = findPlans(problems, { ...DEFAULT_PLAN_OPTIONS, ...options, maxGenerations: generations });
  return plans.map((plan) => plan.after);
}

/** The comparison of `resolve --locked`. */
function compared(lock: Lock, problems: readonly Problem[]): LockComparison {
  const answers: { readonly problem: Problem; readonly resolution: Resolution }[] = [];
  for (const problem of problems) answers.push({ problem, resolution: resolve(afterOthers(problem, answers)) });
  const resolutions = answers.map(({ resolution }) => resolution);
  return compareWithLockedGeneration(lock, problems, resolutions, "1");
}

function differenceTexts({ differences }: LockComparison): readonly string[] {
  return differences.map((one) => `${one.kind}: ${differenceText(one)}`);
}

const WORLDS = process.env.PLIMSOLL_LONG ? 1_000 : 30;

test("generated plans, generation by generation", () => {
  let generations = 0;
  for (let seed = 1; seed <= WORLDS; seed++) {
    const problems = generatePlanWorld(seed);
    const plans = makePlan(problems, DEFAULT_PLAN_OPTIONS);
    const made = makeLock(problems, plans, "1");
    const { lock, findings } = readLock(printLock(made), "plan.lock");
    expect(findings).toEqual([]);
    expect(lock, `world ${seed}`).toEqual(made);
    const count = Math.max(...made.plans.map((plan) => plan.generations.length));
    for (let done = 0; done <= count; done++) {
      const then = carriedOn(problems, done);
      const same: LockComparison = { same: true, generation: done + 1, generations: count, differences: [] };
      expect(compared(made, then), `world ${seed} after ${done}`).toEqual(same);
      expect(
        compareWithLock(made, then, makePlan(then, DEFAULT_PLAN_OPTIONS), "1"),
        `world ${seed} after ${done}`,
      ).toEqual(same);
    }
    generations += count;
  }
  expect(generations).toBeGreaterThan(WORLDS / 2);
});

describe("on the way", () => {
  const problem = problemOf();
  const lock = makeLock([problem], [planOf(problem)], "1");

  test("as a cluster is read then, and not as it was foreseen", () => {
    const [generated] = (carriedOn([problem], 1)[0] as Problem).requests.filter(({ isGenerated }) => isGenerated);
    const objects = {
      subscriptions: [
        subscription("lamp", { installedCSV: "lamp.v1.1.0" }),
        subscription("buoy", { installedCSV: "buoy.v2.0.0" }),
        subscription(generated?.name ?? "", { package: "oil", channel: "stable", installedCSV: "oil.v1.0.0" }),
      ],
      installedOperators: [
        ...OPERATORS.filter(({ name }) => name === "bell.v1.0.0" || name === "whistle.v1.0.0"),
        recorded("lamp", "1.1.0", { minKubeVersion: "1.2.3" }),
        recorded("buoy", "2.0.0"),
        recorded("oil", "1.0.0"),
      ],
    };
    expect(compared(lock, [problemOf(harbour(objects))])).toEqual({
      same: true,
      generation: 2,
      generations: 2,
      differences: [],
    });
    const without = { ...objects, subscriptions: objects.subscriptions.slice(0, 2) };
    const more = { ...objects, subscriptions: [...objects.subscriptions, subscription("bell")] };
    expect(differenceTexts(compared(lock, [problemOf(harbour(without))]))).toEqual([
      `request: the request ns/${generated?.name}, which came with a dependency, is gone`,
    ]);
    expect(differenceTexts(compared(lock, [problemOf(harbour(more))]))).toContain(
      "request: the request ns/bell is new: olm/harbour/bell",
    );
  });

  test("a release that comes in between is reported in its generation", () => {
    const catalogs = [
      catalogOf([
        ...DOCUMENTS.filter((one) => one.name !== "lamp" && one.package !== "lamp"),
        ...packageDocuments("lamp", "1.0.0", "1.1.0", "1.3.0"),
      ]),
    ];
    const [now] = carriedOn([problem], 1);
    const comparison = compared(lock, [{ ...(now as Problem), catalogs }]);
    expect(comparison.same).toBe(false);
    expect(comparison.generation).toBe(2);
    expect(differenceTexts(comparison)).toEqual([
      "change: lamp takes another path in generation 2 of namespace ns: locked lamp.v1.1.0 → lamp.v1.2.0; now lamp.v1.1.0 → lamp.v1.3.0",
      "catalog: catalog harbour has other content",
      "bundle: bundle lamp.v1.2.0 is no longer in catalog harbour",
      "bundle: bundle lamp.v1.3.0 is new in catalog harbour",
      "bundle: bundle lamp.v1.1.0 (or what leads to it in channel stable) is not the same in catalog harbour",
    ]);
  });

  test("a state that was not foreseen", () => {
    const installedOperators = [...OPERATORS.filter(({ name }) => name !== "buoy.v1.0.0"), recorded("gong", "1.0.0")];
    const comparison = compared(lock, [problemOf(harbour({ installedOperators }))]);
    expect(comparison.same).toBe(false);
    expect(differenceTexts(comparison)[0]).toBe(
      "state: what runs in namespace ns is what runs before no generation of the lock; the nearest is generation 1, but buoy.v1.0.0 does not run, gong.v1.0.0 runs",
    );
    // An operator that should not run was reported once.
    expect(differenceTexts(comparison).filter((text) => text.includes("gong"))).toHaveLength(1);
  });

  test("a step that was carried out alone", () => {
    const subscriptions = SUBSCRIPTIONS.map((one) =>
      one.name === "buoy" ? { ...one, installedCSV: "buoy.v2.0.0" } : one,
    );
    const installedOperators = OPERATORS.map((one) => (one.name === "buoy.v1.0.0" ? recorded("buoy", "2.0.0") : one));
    expect(differenceTexts(compared(lock, [problemOf(harbour({ subscriptions, installedOperators }))]))[0]).toBe(
      "state: what runs in namespace ns is what runs before no generation of the lock; the nearest is generation 1, but buoy.v1.0.0 does not run, buoy.v2.0.0 runs",
    );
  });

  test("what was locked with a target is not all that can move", () => {
    const options = { to: { package: "buoy" } };
    const comparison = compared(makeLock([problem], [planOf(problem, options)], "1"), [problem]);
    expect(differenceTexts(comparison)).toEqual([
      "change: lamp takes another path in generation 1 of namespace ns: locked it stays; now lamp.v1.0.0 → lamp.v1.1.0",
      "change: oil takes another path in generation 1 of namespace ns: locked it stays; now oil.v1.0.0 is installed",
      "target: the target for buoy is gone: buoy",
    ]);
  });

  test("removals are no part of an answer, but of what runs", () => {
    const objects = {
      subscriptions: [subscription("oil", { installedCSV: "oil.v1.0.0", annotations: GENERATED })],
      installedOperators: [recorded("oil", "1.0.0")],
    };
    const start = [problemOf(harbour(objects))];
    const pruned = makeLock(start, makePlan(start, { ...DEFAULT_PLAN_OPTIONS, prune: true }), "1");
    expect(pruned.plans[0]?.generations[0]?.steps.flat()[0]).toMatchObject({
      from: "oil.v1.0.0",
      subscriptions: ["oil"],
    });
    expect(compared(pruned, start)).toEqual({ same: true, generation: 1, generations: 1, differences: [] });
    expect(compared(pruned, carriedOn(start, 1, { prune: true }))).toEqual({
      same: true,
      generation: 2,
      generations: 1,
      differences: [],
    });
  });
});

const GENERATED = { "olm.generated-by": "install-abcde" };

describe("several namespaces", () => {
  const [here, there] = [problemOf(), { ...problemOf(), namespace: "there", requests: [], installed: [] }];
  const lock = makeLock([here, there], makePlan([here, there], DEFAULT_PLAN_OPTIONS), "1");

  test("one of them may be asked for", () => {
    const comparison = compared(lock, [here]);
    expect(comparison.same).toBe(true);
    expect(differenceTexts(comparison)).toEqual(["namespace: nothing was asked about namespace there"]);
  });

  test("one that waits for others looks the same before several generations: the one is meant that fits the answer", () => {
    const plans = makePlan([here], DEFAULT_PLAN_OPTIONS);
    const later = plans.map((plan) => ({
      ...plan,
      generations: plan.generations.map(({ number, steps }) => ({ number: number + 2, steps })),
    }));
    const waiting = makeLock([here], later, "1");
    expect(waiting.plans[0]?.generations.map(({ steps }) => steps.length)).toEqual([0, 0, 3, 1]);
    expect(compared(waiting, [here])).toEqual({ same: true, generation: 3, generations: 4, differences: [] });
  });

  test("one that was not locked", () => {
    const comparison = compared(lock, [here, there, { ...there, namespace: "far" }]);
    expect(comparison.same).toBe(false);
    expect(differenceTexts(comparison)).toEqual(["unlocked: the lock knows nothing of namespace far"]);
  });

  test("what they share is reported once", () => {
    const node = { properties: [{ type: "kubernetes.version", value: "1.32.0" }] };
    expect(
      differenceTexts(
        compared(
          lock,
          [here, there].map((one) => ({ ...one, node })),
        ),
      ),
    ).toEqual(["fact: the cluster's kubernetes.version was 1.31.0 and is 1.32.0"]);
  });
});
