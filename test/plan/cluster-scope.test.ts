// Is the plan of ClusterExtensions the shortest way to a version, and the same as data and in any order of the input? The laws
// that all plans have are in worlds.test.ts and brute-force.test.ts.

import { expect, test } from "vitest";
import { CLUSTER_SCOPE, type Problem } from "../../src/model/problem.ts";
import { findPlans, makePlan } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type Plan } from "../../src/plan/plan.ts";
import type { FoundPlan } from "../../src/plan/plan-draft.ts";
import { makeStyle } from "../../src/render/kit/style.ts";
import { FORMATS } from "../../src/render/output-formats.ts";
import { renderPlans } from "../../src/render/plan/render-plan.ts";
import type { NamedRequest } from "../../src/resolve/prepare/problem-inputs.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { satisfies } from "../../src/semver/masterminds-range.ts";
import { compareVersions, type Version } from "../../src/semver/version.ts";
import { rearrangedProblem } from "../oracles/shuffle.ts";
import { generateClusterScope } from "../worlds/cluster-scope.ts";
import { Dice } from "../worlds/dice.ts";
import {
  type Accepted,
  exactly,
  isThere,
  type Length,
  lengthOf,
  movableBundles,
  shortestWay,
  withTarget,
} from "../worlds/plan-brute-force.ts";
import { clusterScopeWorlds } from "../worlds/plan-worlds.ts";
import { replay } from "../worlds/replay.ts";
import { falseClaims } from "../worlds/served.ts";

const MANY = process.env.PLIMSOLL_LONG ? 35 : 1;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 800_000;
const MAX_STATES = 400;

test("no way to a version is shorter, and there is one exactly if the plan finds one", () => {
  const seen = new Map<string, number>();
  const counts = { tried: 0, longer: 0, shorter: 0, any: 0, allowed: 0, target: 0 };
  for (const { world, seed, starts } of clusterScopeWorlds(FIRST + 40_000, MANY > 1 ? 300 * MANY : 150)) {
    const [start, second] = starts;
    if (start === undefined || second !== undefined || falseClaims(start).length > 0) continue;
    // What an unavailable catalog hides in one answer, two sets of one generation may use.
    if (start.unavailable.length > 0) continue;
    const target = anyTarget(new Dice(seed), start);
    if (target === undefined) continue;
    const [plan] = findPlans([start], { ...DEFAULT_PLAN_OPTIONS, to: target }) as readonly [FoundPlan];
    const ways = acceptedIn(start, target).map((accepted) => ({
      accepted,
      length: shortestWay(start, target, MAX_STATES, accepted),
    }));
    if (ways.some(({ length }) => length === undefined)) continue;
    const best = ways.reduce((one, other) => (isLonger(one.length, other.length) ? other : one));
    const { accepted, length: shortest = "none" } = best;
    counts[accepted]++;
    const about = { world, target: target.package, range: target.range?.text };
    const way = lengthOf(plan, start);
    counts.tried++;
    if (typeof way !== "string" && isLonger(way, shortest)) counts.longer++;
    else if (typeof way !== "string" && shortest !== "none" && isLonger(shortest, way)) counts.shorter++;
    else expect({ ...about, way }).toEqual({ ...about, way: shortest });
    const { faults, cluster } = replay([withTarget(start, target, accepted)], [plan]);
    expect({ ...about, faults }).toEqual({ ...about, faults: [] });
    expect({ ...about, said: plan.target?.isReached }).toEqual({ ...about, said: isThere(cluster, start, target) });
    const key = shortest === "none" ? "none" : String(Math.min(2, shortest.generations));
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (const key of ["none", "0", "1", "2"])
    expect({ key, isSeen: (seen.get(key) ?? 0) > 0 }).toEqual({ key, isSeen: true });
  // Dependencies are installed when they are needed; rarely, one that comes earlier would make a way shorter.
  expect(counts.longer * 100).toBeLessThanOrEqual(counts.tried);
  // A generation may take several answers one after another; brute force takes one. That the way is safe is seen above.
  expect(counts.shorter * 100).toBeLessThanOrEqual(counts.tried);
  if (MANY > 1) expect([counts.allowed, counts.target].map((count) => count > 0)).toEqual([true, true]);
}, 3_600_000);

test("the first generation is the answer of resolve, and the plan is the same from JSON and in any order", () => {
  let moved = 0;
  for (let seed = FIRST + 60_000; seed < FIRST + 60_000 + 80 * MANY; seed++) {
    const problem = generateClusterScope(seed);
    const options = { ...DEFAULT_PLAN_OPTIONS, actions: "whole", explanations: "all" } as const;
    const plans = makePlan([problem], options);
    expect({ seed, plans: JSON.parse(JSON.stringify(plans)) }).toStrictEqual({ seed, plans });
    const [plan] = plans as readonly [Plan];
    const answer = resolve(problem).operators.flatMap(({ from, name }) => (from === undefined ? [] : [name]));
    // Worlds of this kind have no custom kinds that could put a change off.
    const first =
      plan.generations[0]?.steps.flatMap(({ changes }) => changes.flatMap(({ to }) => to?.name ?? [])) ?? [];
    expect({ seed, first: [...first].sort() }).toEqual({ seed, first: [...answer].sort() });
    moved += first.length;
    const rearranged = rearrangedProblem(new Dice(seed), problem);
    expect({ seed, namespace: rearranged.namespace }).toEqual({ seed, namespace: CLUSTER_SCOPE });
    const others = makePlan([rearranged], options);
    expect({ seed, text: plainText(others) }).toEqual({ seed, text: plainText(plans) });
    for (const output of FORMATS.plan) {
      const [before, after] = [plans, JSON.parse(JSON.stringify(plans)) as readonly Plan[]].map((some) =>
        rendered(some, output),
      );
      expect({ seed, output, text: after }).toEqual({ seed, output, text: before });
    }
    expect(JSON.parse(rendered(plans, "json"))).toMatchObject({ scope: "cluster", namespace: null });
  }
  expect(moved).toBeGreaterThan(40 * MANY);
}, 3_600_000);

function isLonger(one: Length | "none" = "none", other: Length | "none" = "none"): boolean {
  if (one === "none" || other === "none") return one === "none" && other !== "none";
  return other.generations < one.generations || (other.generations === one.generations && other.changes < one.changes);
}

/** A range that excludes what is installed allows an older version; a target that is newer need not be preferred. */
function acceptedIn({ requests, installed }: Problem, { package: owner, version: to }: Target): readonly Accepted[] {
  const versions = requests.find((one) => one.package === owner)?.extension?.versions;
  const version = installed.find((one) => one.package === owner)?.version;
  if (version === undefined) return ["any"];
  const isExcluding = versions !== undefined && !satisfies(versions, version);
  const isNewer = compareVersions(to, version) > 0;
  return ["any", ...(isExcluding ? (["allowed"] as const) : []), ...(isNewer ? (["target"] as const) : [])];
}

type Target = NamedRequest & { readonly version: Version };

/** A version of a package that a ClusterExtension asks for. */
function anyTarget(dice: Dice, problem: Problem): Target | undefined {
  const bundles = movableBundles(problem, (claim) => claim !== undefined);
  if (bundles.length === 0) return undefined;
  const some = dice.pick(bundles);
  const newest = bundles
    .filter((one) => one.package === some.package)
    .reduce((best, one) => (compareVersions(one.version, best.version) > 0 ? one : best));
  const bundle = dice.chance(0.5) ? some : newest;
  return { ...exactly(bundle), version: bundle.version };
}

function rendered(plans: readonly Plan[], output: string): string {
  const shown = { plans, isList: false, warnings: [], at: (): string => "file:1:1", command: (): string => "" };
  return renderPlans(shown, { output, style: makeStyle(false), width: 100 });
}

/** Without places and counts of the search, which depend on the order of documents. */
function plainText(plans: readonly Plan[]): string {
  return JSON.stringify(plans, (key, value) =>
    ["place", "statistics", "declarations"].includes(key) ? undefined : value,
  );
}
