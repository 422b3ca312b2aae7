// Is a plan as good as it can be? On small worlds everything is tried: every generation, every joint step, every way.

import { expect, test } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import { findPlans } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS } from "../../src/plan/plan.ts";
import type { FoundPlan } from "../../src/plan/plan-draft.ts";
import type { NamedRequest } from "../../src/resolve/prepare/problem-inputs.ts";
import { Dice } from "../worlds/dice.ts";
import {
  exactly,
  isThere,
  leftAtEnd,
  lengthOf,
  movableBundles,
  needlessJoints,
  notBest,
  shortestWay,
  withTarget,
} from "../worlds/plan-brute-force.ts";
import { clusterScopeWorlds, planWorlds } from "../worlds/plan-worlds.ts";
import { replay } from "../worlds/replay.ts";
import { falseClaims } from "../worlds/served.ts";

const MANY = process.env.PLIMSOLL_LONG ? 40 : 1;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 300_000;
const MAX_STATES = 400;

test.each([
  ["Subscriptions", planWorlds(FIRST, 80 * MANY), { generations: 40, joints: 3 }],
  ["ClusterExtensions", clusterScopeWorlds(FIRST + 520_000, 70 * MANY), { generations: 25, joints: 1 }],
] as const)(
  "each generation of %s is the best answer, each joint step the smallest, and nothing is left",
  (_, worlds, least) => {
    const seen = { generations: 0, joints: 0 };
    for (const { world, starts: given } of worlds) {
      const starts = given.map(inParts);
      const plans = findPlans(starts, DEFAULT_PLAN_OPTIONS);
      const { moments, cluster } = replay(starts, plans);
      const faults = moments.flatMap((moment) => [...notBest(starts, moment), ...needlessJoints(starts, moment)]);
      expect({ world, faults }).toEqual({ world, faults: [] });
      expect({ world, left: leftAtEnd(starts, cluster) }).toEqual({ world, left: [] });
      seen.generations += moments.length;
      seen.joints += moments
        .flatMap(({ generation }) => generation.steps)
        .filter(({ changes }) => changes.length > 1).length;
    }
    expect(seen.generations).toBeGreaterThan(least.generations * MANY);
    expect(seen.joints).toBeGreaterThan(least.joints * MANY);
  },
  3_600_000,
);

test("no way to a target is shorter, and there is one exactly if the plan finds one", () => {
  const seen = new Map<string, number>();
  for (const { world, seed, starts } of planWorlds(FIRST + 100_000, 80 * MANY)) {
    const [given, second] = starts;
    // An operator with a false claim could be used a generation later by one that could not come with it.
    if (given === undefined || second !== undefined || falseClaims(given).length > 0) continue;
    const start = inParts(given);
    const target = randomTarget(new Dice(seed), start);
    if (target === undefined) continue;
    const [plan] = findPlans([start], { ...DEFAULT_PLAN_OPTIONS, to: target }) as readonly [FoundPlan];
    // Repairs that OLM would have to do at the same time are not searched.
    if (plan.end === "search" && start.options.compat) continue;
    const shortest = shortestWay(start, target, MAX_STATES);
    if (shortest === undefined) continue;
    const about = { world, target: `${target.package} ${target.range?.text}` };
    expect({ ...about, way: lengthOf(plan, start) }).toEqual({ ...about, way: shortest });
    const { faults, cluster } = replay([withTarget(start, target)], [plan]);
    expect({ ...about, faults }).toEqual({ ...about, faults: [] });
    const isReached = isThere(cluster, start, target);
    expect({ ...about, said: plan.target?.isReached }).toEqual({ ...about, said: isReached });
    const key = shortest === "none" ? "none" : String(Math.min(3, shortest.generations));
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (const [key, least] of [
    ["none", 8],
    ["0", 2],
    ["1", 10],
    ["2", 1],
  ] as const)
    expect({ key, count: Math.min(least * MANY, seen.get(key) ?? 0) }).toEqual({ key, count: least * MANY });
}, 3_600_000);

/** The same world in which the first requests may be served without the others. */
function inParts(problem: Problem): Problem {
  return { ...problem, options: { ...problem.options, allOrNothing: false } };
}

/** A version of a package that a plan may move; nothing if there is none. What waits for approval is not installed. */
function randomTarget(dice: Dice, problem: Problem): NamedRequest | undefined {
  const bundles = movableBundles(problem, (claim, here) => here !== undefined || claim?.approval !== "Manual");
  return bundles.length === 0 ? undefined : exactly(dice.pick(bundles));
}
