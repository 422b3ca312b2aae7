// What happens in a plan? Names for everything that a test of plans should come across.

import type { FoundPlan, PlannedChange, PlannedStep } from "../../src/plan/plan-draft.ts";
import { providedIn } from "./bundle-manifests.ts";

/** What happens in a plan, each once. */
export function featuresOf({ generations, last }: FoundPlan): readonly string[] {
  const steps = generations.flatMap((generation) => generation.steps);
  const changes = steps.flatMap((step) => step.changes);
  const features: readonly (readonly [string, boolean])[] = [
    ["several generations", generations.length > 1],
    ["joint step", steps.some((step) => step.changes.length > 1)],
    ["joint step of three", steps.some((step) => step.changes.length > 2)],
    ["installation", changes.some(({ from, to }) => from === undefined && to !== undefined)],
    ["dependency", changes.some(({ generatedSubscription }) => generatedSubscription !== undefined)],
    ["removal", changes.some(({ to }) => to === undefined)],
    ["API passed on", steps.some(isPassedOn)],
    ["migration", steps.some(({ migrations }) => migrations.length > 0)],
    ["waits for approval", last.pendingApproval.length > 0],
    ["held back", last.heldBack.length > 0],
  ];
  return features.filter(([, happens]) => happens).map(([name]) => name);
}

/** Does an operator take over an API that another one of the step had? */
function isPassedOn({ changes }: PlannedStep): boolean {
  const before = ({ from }: PlannedChange): readonly string[] => providedIn(from?.properties ?? []);
  const after = ({ to }: PlannedChange): readonly string[] => providedIn(to?.bundle.properties ?? []);
  return changes.some((giver) =>
    changes.some((heir) => heir !== giver && after(heir).some((api) => before(giver).includes(api))),
  );
}
