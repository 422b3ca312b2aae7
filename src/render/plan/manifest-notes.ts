// What do the manifests of a plan not contain that their users need to know? Manual actions before an InstallPlan, and
// Subscriptions whose `sourceNamespace` is a guess.

import type { BundleRef, Step } from "../../plan/plan.ts";
import { safeText } from "../kit/safe-text.ts";
import { hasMigration } from "./lanes.ts";
import type { ShownPlans } from "./shown.ts";
import { installPlanName, isOfNamespace, type PlacedStep, placedSteps } from "./subscriptions.ts";

/** Sentences without a full stop; none for formats without manifests. */
export function manifestNotes({ plans }: Pick<ShownPlans, "plans">, output: string): readonly string[] {
  const steps = output === "installplan" || output === "subscriptions" ? placedSteps(plans.filter(isOfNamespace)) : [];
  return [...(output === "installplan" ? handNotes(steps, plans.length > 1) : []), ...guessNotes(steps, output)];
}

function handNotes(steps: readonly PlacedStep[], isList: boolean): readonly string[] {
  return steps.filter(hasMigration).map((placed) => {
    const name = `${isList ? `${placed.plan.namespace}/` : ""}${installPlanName(placed)}`;
    return safeText(`before ${name} something has to be done by hand: see its annotation plimsoll.dev/before`);
  });
}

/** Catalogs whose namespace is unknown and assumed to be that of the Subscription. */
function guessNotes(steps: readonly PlacedStep[], output: string): readonly string[] {
  const notes = new Set<string>();
  for (const { plan, step } of steps)
    for (const { to } of step.changes) {
      if (to === undefined || (output === "subscriptions" && !bringsSubscription(step, to))) continue;
      const { name } = to.catalog;
      if (to.sourceNamespace !== undefined) continue;
      notes.add(
        `nothing says in which namespace the CatalogSource ${name} is, so that sourceNamespace ${plan.namespace} is a guess; say it with --catalog NAMESPACE/${name}=PATH`,
      );
    }
  return [...notes].map(safeText);
}

function bringsSubscription({ actions = [] }: Step, { name }: BundleRef): boolean {
  return actions.some((one) => one.verb === "create" && one.kind === "Subscription" && one.bundle === name);
}
