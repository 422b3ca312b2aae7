// Is a plan as good as it can be? On small worlds everything is tried: every generation, every joint step, every way.

import { expect, test } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import { findPlans } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS } from "../../src/plan/plan.ts";
import type { FoundPlan } from "../../src/plan/plan-draft.ts";
import type { NamedRequest } from "../../src/resolve/prepare/problem-inputs.ts";
import { parseRange, type Range, rangeOutline } from "../../src/semver/blang-range.ts";
import { printVersion, type Version } from "../../src/semver/version.ts";
import { Dice } from "../worlds/dice.ts";
import {
  isThere,
  type Length,
  leftAtEnd,
  needlessJoints,
  notBest,
  shortestWay,
  withTarget,
} from "../worlds/plan-brute-force.ts";
import { planWorlds } from "../worlds/plan-worlds.ts";
import { replay } from "../worlds/replay.ts";
import { falseClaims } from "../worlds/served.ts";

const MANY = process.env.PLIMSOLL_LONG ? 40 : 1;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 300_000;
const MAX_STATES = 400;

test("each generation is the best answer, each joint step the smallest, and in the end nothing is left", () => {
  const seen = { generations: 0, joints: 0 };
  for (const { world, starts: given } of planWorlds(FIRST, 80 * MANY)) {
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
  expect(seen.generations).toBeGreaterThan(40 * MANY);
  expect(seen.joints).toBeGreaterThan(3 * MANY);
}, 3_600_000);

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
    const about = { world, target: `${target.package} ${printVersion(target.version)}` };
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

/** A version of a package that one request at most asks for, and that a plan may move; nothing if there is none. */
function randomTarget(
  dice: Dice,
  { catalogs, requests, installed }: Problem,
): (NamedRequest & { readonly version: Version }) | undefined {
  const packages = catalogs
    .flatMap((catalog) => [...catalog.packages.values()])
    .filter(({ name }) => {
      const [claim, ...moreClaims] = requests.filter((one) => one.package === name);
      const [here, ...moreHere] = installed.filter((one) => one.package === name);
      if (moreClaims.length > 0 || moreHere.length > 0 || claim?.installed !== here?.name) return false;
      return here !== undefined || claim?.approval !== "Manual";
    });
  const bundles = packages.flatMap((one) => [...one.bundles.values()]);
  if (bundles.length === 0) return undefined;
  const { package: owner, version } = dice.pick(bundles);
  return { package: owner, range: rangeOutline(parseRange(printVersion(version)) as Range), version };
}

/** How long a plan is. While something is unknown, "no way" cannot be concluded. */
function lengthOf({ generations, end }: FoundPlan, { unavailable, options, runtime }: Problem): Length | string {
  const isUnknown = (unavailable.length > 0 && !options.ignoreUnavailable) || runtime.problems.length > 0;
  if (end !== "done") return end === "no-way" || ((end === "search" || end === "unread") && isUnknown) ? "none" : end;
  const changes = generations.flatMap(({ steps }) => steps.flatMap((step) => step.changes));
  return { generations: generations.length, changes: changes.length };
}
