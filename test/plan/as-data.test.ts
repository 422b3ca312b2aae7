// Is a plan plain data? After a trip through JSON it is the same, and looks the same in every form.

import { expect, test } from "vitest";
import { makePlan } from "../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS, type Plan } from "../../src/plan/plan.ts";
import { makeStyle } from "../../src/render/kit/style.ts";
import { FORMATS } from "../../src/render/output-formats.ts";
import { renderPlans } from "../../src/render/plan/render-plan.ts";
import { Dice } from "../worlds/dice.ts";
import { planWorlds } from "../worlds/plan-worlds.ts";

const MANY = process.env.PLIMSOLL_LONG ? 40 : 1;
const FIRST = Number(process.env.PLIMSOLL_SEED ?? 1) * 1_000_000 + 700_000;

/** A world whose plan writes stored objects again: few do. */
const WITH_MIGRATION = 1_700_065;

test("a plan comes whole through JSON and a structured clone, and looks the same in every form", () => {
  const seen = new Set<string>();
  for (const { world, seed, starts } of [...planWorlds(FIRST, 40 * MANY), ...planWorlds(WITH_MIGRATION, 1)]) {
    const dice = new Dice(seed);
    const [first] = starts;
    const wanted = first && dice.pick(first.requests.length === 0 ? [undefined] : first.requests);
    const isWay = wanted !== undefined && starts.length === 1 && seed % 3 === 0;
    const options = { ...DEFAULT_PLAN_OPTIONS, prune: seed % 2 === 0, actions: "whole", explanations: "all" } as const;
    const plans = makePlan(starts, isWay ? { ...options, to: { package: wanted.package } } : options);
    for (const plan of plans) {
      const text = JSON.stringify(plan);
      expect({ world, plan: JSON.parse(text) }).toStrictEqual({ world, plan });
      expect({ world, text: JSON.stringify(structuredClone(plan)) }).toEqual({ world, text });
    }
    const travelled = plans.map((plan) => JSON.parse(JSON.stringify(plan)) as Plan);
    for (const output of FORMATS.plan) {
      const [before, after] = [plans, travelled].map((some) => rendered(some, output));
      expect({ world, output, text: after }).toEqual({ world, output, text: before });
    }
    for (const { generations, orphans, warnings } of plans) {
      for (const { changes, because, migrations } of generations.flatMap((one) => one.steps)) {
        if (because.length > 0) seen.add("because");
        if (migrations.length > 0) seen.add("migration");
        for (const { reason, to } of changes) seen.add(to === undefined ? "removal" : reason.kind);
        if (changes.some(({ isOrdered }) => isOrdered)) seen.add("ordered");
      }
      if (orphans.length > 0) seen.add("orphan");
      if (warnings.length > 0) seen.add("warning");
    }
  }
  const expected = ["because", "migration", "needed", "ordered", "orphan", "removal", "update", "warning", "way"];
  expect([...seen].sort()).toEqual(expect.arrayContaining(expected));
}, 3_600_000);

function rendered(plans: readonly Plan[], output: string): string {
  const shown = { plans, isList: plans.length > 1, warnings: [] };
  const at = (): string => "file:1:1";
  return renderPlans({ ...shown, at, command: () => "" }, { output, style: makeStyle(false), width: 100 });
}
