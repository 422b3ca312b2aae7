// Are plans of ClusterExtensions safe at every moment, and as good as they can be? The worlds of other plans, in which one
// namespace is the cluster scope: their steps are taken on the model of the cluster, and everything is tried on small ones.

import { expect, test } from "vitest";
import { readProblem } from "../../src/input/read-problem.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { CLUSTER_SCOPE, type Problem } from "../../src/model/problem.ts";
import { findPlans, makePlan } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type Plan } from "../../src/plan/plan.ts";
import type { FoundPlan } from "../../src/plan/plan-draft.ts";
import { makeStyle } from "../../src/render/kit/style.ts";
import { FORMATS } from "../../src/render/output-formats.ts";
import { renderPlans } from "../../src/render/plan/render-plan.ts";
import { saveProblem } from "../../src/resolve/prepare/save-problem.ts";
import { resolve } from "../../src/resolve/resolve.ts";
import { parseRange, type Range, rangeOutline } from "../../src/semver/blang-range.ts";
import { satisfies } from "../../src/semver/masterminds-range.ts";
import { compareVersions, printVersion } from "../../src/semver/version.ts";
import { shuffledDocuments } from "../oracles/shuffle.ts";
import { problemIn } from "../worlds/api-server.ts";
import { generateClusterScope } from "../worlds/cluster-scope.ts";
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
import { featuresOf } from "../worlds/plan-features.ts";
import { clusterScopeWorlds } from "../worlds/plan-worlds.ts";
import { differencesAtEnd, replay } from "../worlds/replay.ts";
import { falseClaims } from "../worlds/served.ts";

const MANY = process.env.PLIMSOLL_LONG ? 35 : 1;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 800_000;
const MAX_STATES = 400;

/** What the worlds have at the least: what never happens is not tested. */
const LEAST: Readonly<Record<string, number>> = {
  "several generations": 15,
  "joint step": 5,
  installation: 20,
  "dependency of the cluster scope": 5,
  jump: 5,
  older: 1,
  migration: 1,
  "several namespaces": 10,
  "held back": 20,
};

test("after every step everything holds, every move is allowed, and after the last there is nothing to do", () => {
  const seen = new Map<string, number>();
  for (const { world, seed, starts } of clusterScopeWorlds(FIRST, 250 * MANY)) {
    const options = { ...DEFAULT_PLAN_OPTIONS, prune: seed % 3 === 0 };
    const plans = findPlans(starts, options);
    const { faults, cluster } = replay(starts, plans);
    expect({ world, faults }).toEqual({ world, faults: [] });
    expect({ world, ends: plans.map(({ end }) => end) }).toEqual({ world, ends: plans.map(() => "done") });
    expect({ world, differences: differencesAtEnd(cluster, plans) }).toEqual({ world, differences: [] });
    const then = seed % 2 === 0 ? plans.map(({ after }) => after) : starts.map((start) => problemIn(cluster, start));
    const left = makePlan(then, options).flatMap(({ generations }) => generations);
    expect({ world, left }).toEqual({ world, left: [] });
    expect({ world, orphans: plans.at(-1)?.orphans }).toEqual({ world, orphans: [] });
    for (const feature of plans.flatMap(featuresOf)) seen.set(feature, (seen.get(feature) ?? 0) + 1);
    if (starts.length > 1) seen.set("several namespaces", (seen.get("several namespaces") ?? 0) + 1);
  }
  const rare = Object.entries(LEAST).filter(([feature, least]) => (seen.get(feature) ?? 0) < least * MANY);
  expect({ rare, seen: rare.length > 0 ? seen : undefined }).toEqual({ rare: [], seen: undefined });
}, 3_600_000);

test("each generation is the best answer, each joint step the smallest, and in the end nothing is left", () => {
  const seen = { generations: 0, joints: 0 };
  for (const { world, starts: given } of clusterScopeWorlds(FIRST + 20_000, 70 * MANY)) {
    const starts = given.map((start) => ({ ...start, options: { ...start.options, allOrNothing: false } }));
    const { moments, cluster } = replay(starts, findPlans(starts, DEFAULT_PLAN_OPTIONS));
    const faults = moments.flatMap((moment) => [...notBest(starts, moment), ...needlessJoints(starts, moment)]);
    expect({ world, faults }).toEqual({ world, faults: [] });
    expect({ world, left: leftAtEnd(starts, cluster) }).toEqual({ world, left: [] });
    seen.generations += moments.length;
    seen.joints += moments.flatMap((one) => one.generation.steps).filter(({ changes }) => changes.length > 1).length;
  }
  expect(seen.generations).toBeGreaterThan(25 * MANY);
  expect(seen.joints).toBeGreaterThan(MANY);
}, 3_600_000);

test("no way to a version is shorter, and there is one exactly if the plan finds one", () => {
  const seen = new Map<string, number>();
  const counts = { tried: 0, longer: 0, older: 0 };
  for (const { world, seed, starts } of clusterScopeWorlds(FIRST + 40_000, 300 * MANY)) {
    const [start, second] = starts;
    if (start === undefined || second !== undefined || falseClaims(start).length > 0) continue;
    // What an unavailable catalog hides in one answer, two sets of one generation may use.
    if (start.unavailable.length > 0) continue;
    const target = anyTarget(new Dice(seed), start);
    if (target === undefined) continue;
    const [plan] = findPlans([start], { ...DEFAULT_PLAN_OPTIONS, to: target }) as readonly [FoundPlan];
    // A range that excludes what is installed allows an older version.
    const isExcluding = excludesInstalled(start, target.package);
    const ways = [false, ...(isExcluding ? [true] : [])].map((isKept) =>
      shortestWay(start, target, MAX_STATES, isKept),
    );
    if (ways.includes(undefined)) continue;
    const [free = "none", kept = "none"] = ways;
    const isKept = isLonger(free, kept);
    const shortest = isKept ? kept : free;
    if (isKept) counts.older++;
    const about = { world, target: target.package, range: target.range?.text };
    const isUnknown = start.runtime.problems.length > 0;
    const isNone = plan.end === "no-way" || (isUnknown && (plan.end === "search" || plan.end === "unread"));
    const way = plan.end === "done" ? lengthOf(plan) : isNone ? "none" : plan.end;
    counts.tried++;
    if (typeof way !== "string" && isLonger(way, shortest)) counts.longer++;
    else expect({ ...about, way }).toEqual({ ...about, way: shortest });
    const { faults, cluster } = replay([withTarget(start, target, isKept)], [plan]);
    expect({ ...about, faults }).toEqual({ ...about, faults: [] });
    expect({ ...about, said: plan.target?.isReached }).toEqual({ ...about, said: isThere(cluster, start, target) });
    const key = shortest === "none" ? "none" : String(Math.min(2, shortest.generations));
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  for (const key of ["none", "0", "1", "2"])
    expect({ key, isSeen: (seen.get(key) ?? 0) > 0 }).toEqual({ key, isSeen: true });
  // Dependencies are installed when they are needed; rarely, one that comes earlier would make a way shorter.
  expect(counts.longer * 100).toBeLessThanOrEqual(counts.tried);
  if (MANY > 1) expect(counts.older).toBeGreaterThan(0);
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
    const others = makePlan([rearranged(new Dice(seed), problem)], options);
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

function lengthOf({ generations }: FoundPlan): Length {
  const changes = generations.flatMap(({ steps }) => steps.flatMap((step) => step.changes));
  return { generations: generations.length, changes: changes.length };
}

function isLonger(one: Length | "none", other: Length | "none"): boolean {
  if (one === "none" || other === "none") return one === "none" && other !== "none";
  return other.generations < one.generations || (other.generations === one.generations && other.changes < one.changes);
}

function excludesInstalled({ requests, installed }: Problem, owner: string): boolean {
  const versions = requests.find((one) => one.package === owner)?.extension?.versions;
  const version = installed.find((one) => one.package === owner)?.version;
  return versions !== undefined && version !== undefined && !satisfies(versions, version);
}

/** A version of a package that one ClusterExtension asks for. */
function anyTarget(dice: Dice, { catalogs, requests, installed }: Problem) {
  const bundles = catalogs
    .flatMap(({ packages }) => [...packages.values()])
    .filter(({ name }) => {
      const [claim, ...more] = requests.filter((one) => one.package === name);
      const [here, ...others] = installed.filter((one) => one.package === name);
      return claim !== undefined && more.length + others.length === 0 && claim.installed === here?.name;
    })
    .flatMap((one) => [...one.bundles.values()]);
  if (bundles.length === 0) return undefined;
  const some = dice.pick(bundles);
  const newest = bundles
    .filter((one) => one.package === some.package)
    .reduce((best, one) => (compareVersions(one.version, best.version) > 0 ? one : best));
  const { package: owner, version } = dice.chance(0.5) ? some : newest;
  return { package: owner, range: rangeOutline(parseRange(printVersion(version)) as Range) };
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

/** The same problem; the documents of its catalogs are given in another order. */
function rearranged(dice: Dice, problem: Problem): Problem {
  const saved = JSON.parse(saveProblem(problem)) as JsonObject;
  const catalogs = (saved.catalogs as readonly JsonObject[]).map((catalog) => {
    const documents = catalog.documents as readonly { readonly place: JsonObject; readonly document: JsonObject }[];
    const others = shuffledDocuments(
      dice,
      documents.map(({ document }) => document),
    );
    return { ...catalog, documents: documents.map(({ place }, index) => ({ place, document: others[index] })) };
  });
  const read = readProblem(JSON.stringify({ ...saved, catalogs }), "world.json").problem as Problem;
  expect(read.namespace).toBe(CLUSTER_SCOPE);
  return read;
}
