// Which plan is made for a world of a case? What every plan must have is checked here: proof, reasons, changes that fit what runs
// then, and that nothing is left to do at its end.

import { expect } from "vitest";
import type { Problem, ResolveOptions } from "../../../src/model/problem.ts";
import { findPlans } from "../../../src/plan/make-plan.ts";
import { DEFAULT_PLAN_OPTIONS } from "../../../src/plan/plan.ts";
import type { FoundPlan } from "../../../src/plan/plan-draft.ts";
import { explanationText } from "../../explanations/explanation-text.ts";
import { type CasePlan, casePlan } from "./plan-answer.ts";
import { problemOf } from "./resolve-world.ts";
import type { World } from "./world.ts";

/** Plans the namespace of a world. */
export function planFor(world: World, options: Partial<ResolveOptions> = {}): CasePlan {
  const { problem, warnings } = problemOf(world, options);
  return casePlan(soundPlan(problem), warnings);
}

/** The plan of a problem, which must be what every plan is. */
export function soundPlan(problem: Problem): FoundPlan {
  const plan = onlyPlan(problem);
  expect(plan.end).toBe("done");
  expect(plan.proven).toBe(true);
  expectReplay(plan);
  for (const { explanation } of [...plan.last.unsatisfied, ...plan.last.heldBack])
    expect(explanation && explanation.facts.length + explanationText(explanation).length).toBeGreaterThan(0);
  const again = onlyPlan(plan.after);
  expect(again.generations).toEqual([]);
  return plan;
}

function onlyPlan(problem: Problem): FoundPlan {
  return findPlans([problem], { ...DEFAULT_PLAN_OPTIONS, explanations: "all" })[0] as FoundPlan;
}

/** Each change takes the place of what runs then, each joint step has a reason, and so the end is reached. */
function expectReplay({ before, after, generations }: FoundPlan): void {
  const running = new Set(before.installed.map(({ name }) => name));
  for (const { steps } of generations)
    for (const { changes, because } of steps) {
      expect(because.length > 0).toBe(changes.length > 1);
      for (const { from, alsoFrom, to, request, generatedSubscription } of changes) {
        for (const { name } of [...(from === undefined ? [] : [from]), ...alsoFrom])
          expect(running.delete(name)).toBe(true);
        expect(generatedSubscription?.startingCSV).toBe(
          from === undefined && request === undefined ? to?.bundle.name : undefined,
        );
      }
      for (const { to } of changes) if (to !== undefined) running.add(to.bundle.name);
    }
  expect(after.installed.map(({ name }) => name)).toEqual([...running].sort());
}
