// Is a plan safe at every moment? The plans of small worlds are taken step by step on a model of the cluster; after each step
// everything must have what it needs. Afterwards there must be nothing to do.

import { expect, test } from "vitest";
import { canonicalText } from "../../src/model/json.ts";
import type { Problem } from "../../src/model/problem.ts";
import { findPlans, makePlan } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type Plan } from "../../src/plan/plan.ts";
import { byName } from "../../src/render/sentence/names.ts";
import { warningText } from "../../src/render/sentence/warning.ts";
import { resolutionText } from "../oracles/resolution-text.ts";
import { rearrangedProblem, shuffled } from "../oracles/shuffle.ts";
import { problemIn } from "../worlds/api-server.ts";
import { Dice } from "../worlds/dice.ts";
import { featuresOf } from "../worlds/plan-features.ts";
import { clusterScopeWorlds, type PlanWorld, planWorlds } from "../worlds/plan-worlds.ts";
import { differencesAtEnd, replay } from "../worlds/replay.ts";

const MANY = process.env.PLIMSOLL_LONG ? 35 : 1;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000;

/** Worlds, and what happens in them at the least: what never happens is not tested. */
const SAMPLES: readonly [string, Iterable<PlanWorld>, Readonly<Record<string, number>>][] = [
  [
    "Subscriptions",
    planWorlds(FIRST, 300 * MANY),
    {
      "several generations": 30,
      "joint step": 15,
      "joint step of three": 1,
      installation: 40,
      dependency: 10,
      removal: 3,
      "API passed on": 3,
      migration: 3,
      "several namespaces": 15,
      "waits for approval": 10,
      "held back": 60,
    },
  ],
  [
    "ClusterExtensions",
    clusterScopeWorlds(FIRST + 800_000, 250 * MANY),
    {
      "several generations": 15,
      "joint step": 5,
      installation: 20,
      "dependency of the cluster scope": 5,
      jump: 5,
      older: 0.2,
      migration: 1,
      "several namespaces": 10,
      "held back": 20,
    },
  ],
];

test.each(SAMPLES)(
  "after every step of %s everything holds, and after the last there is nothing to do",
  (_, worlds, least) => {
    const seen = new Map<string, number>();
    for (const { world, seed, starts } of worlds) {
      const options = { ...DEFAULT_PLAN_OPTIONS, prune: seed % 3 === 0 };
      const plans = findPlans(starts, options);
      const { faults, cluster } = replay(starts, plans);
      expect({ world, faults }).toEqual({ world, faults: [] });
      expect({ world, ends: plans.map(({ end }) => end) }).toEqual({ world, ends: plans.map(() => "done") });
      expect({ world, differences: differencesAtEnd(cluster, plans) }).toEqual({ world, differences: [] });
      // Both are equal; a new question has only what is found on the cluster.
      const then = seed % 2 === 0 ? plans.map(({ after }) => after) : starts.map((start) => problemIn(cluster, start));
      const left = makePlan(then, options).flatMap(({ generations }) => generations);
      expect({ world, left }).toEqual({ world, left: [] });
      // Every operator of the cluster scope has a ClusterExtension; none is left over.
      const orphans = plans.filter(({ before }) => before.scope === "cluster").flatMap((plan) => plan.orphans);
      expect({ world, orphans }).toEqual({ world, orphans: [] });
      for (const feature of plans.flatMap(featuresOf)) seen.set(feature, (seen.get(feature) ?? 0) + 1);
      if (starts.length > 1) seen.set("several namespaces", (seen.get("several namespaces") ?? 0) + 1);
    }
    const rare = Object.entries(least).filter(([feature, fewest]) => (seen.get(feature) ?? 0) < fewest * MANY);
    expect({ rare, seen: rare.length > 0 ? seen : undefined }).toEqual({ rare: [], seen: undefined });
  },
  3_600_000,
);

test("a plan is the same every time, in any order of the inputs", () => {
  for (const { world, seed, starts } of planWorlds(FIRST + 500_000, 24 * MANY)) {
    const dice = new Dice(seed);
    const options = { ...DEFAULT_PLAN_OPTIONS, prune: true };
    const first = makePlan(starts, { ...options, actions: "whole" }).map(planText);
    expect({ world, text: makePlan(starts, { ...options, actions: "whole" }).map(planText) }).toEqual({
      world,
      text: first,
    });
    const otherwise = rearranged(dice, starts);
    expect({ world, text: makePlan(otherwise, { ...options, actions: "whole" }).map(planText) }).toEqual({
      world,
      text: first,
    });
  }
}, 3_600_000);

test("a plan that is cut off begins as the whole one", () => {
  for (const { world, starts } of planWorlds(FIRST + 600_000, 30 * MANY)) {
    const whole = makePlan(starts, DEFAULT_PLAN_OPTIONS);
    const length = Math.max(...whole.map(({ generations }) => generations.at(-1)?.number ?? 0));
    if (length < 2) continue;
    const short = makePlan(starts, { ...DEFAULT_PLAN_OPTIONS, maxGenerations: 1 });
    const firsts = whole.map((plan) => stepsText({ ...plan, generations: plan.generations.filter(isFirst) }));
    expect({ world, ends: short.map(({ end }) => end), steps: short.map(stepsText) }).toEqual({
      world,
      ends: short.map(() => "generations"),
      steps: firsts,
    });
  }
}, 3_600_000);

function isFirst({ number }: Plan["generations"][number]): boolean {
  return number === 1;
}

/** The whole plan as text. */
function planText(plan: Plan): string {
  const { end, last, orphans, warnings } = plan;
  const more = {
    end,
    orphans: orphans.map(({ name }) => name),
    warnings: warnings.map((one) => warningText(one, byName)),
  };
  return [stepsText(plan), JSON.stringify(more), resolutionText(last, ["statistics"])].join("\n");
}

function stepsText({ generations }: Plan): string {
  const all = generations.map(({ number, steps }) => [
    number,
    steps.map(({ changes, because, migrations, actions = [] }) => [
      changes.map(({ from, to, reason, requiredBy }) => [from?.name, to?.name, to?.channel, reason, requiredBy]),
      because,
      [...migrations, ...actions].map(({ manifest, ...action }) => [action, manifest && canonicalText(manifest)]),
    ]),
  ]);
  return JSON.stringify(all);
}

/** The same problems; documents of their catalogs, definitions and objects are given in another order. */
function rearranged(dice: Dice, problems: readonly Problem[]): readonly Problem[] {
  const [first] = problems as readonly [Problem];
  const { catalogs } = rearrangedProblem(dice, first);
  return problems.map((problem) => {
    const definitions = problem.definitions?.map((one) => ({
      ...one,
      objects: one.objects && shuffled(dice, one.objects),
    }));
    return { ...problem, catalogs, ...(definitions && { definitions: shuffled(dice, definitions) }) };
  });
}
