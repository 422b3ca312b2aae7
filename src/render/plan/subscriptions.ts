// Which Subscriptions does a plan create? Those of the operators that come as dependencies, and those of the packages that
// were named on the command line.

import { CLUSTER_SCOPE } from "../../model/problem.ts";
import { withoutOrigin } from "../../plan/actions/subscription-manifest.ts";
import type { Plan, Step } from "../../plan/plan.ts";
import { printYaml } from "../kit/yaml.ts";
import type { ShownPlans } from "./shown.ts";

/** A step of a plan, and where in it. */
export interface PlacedStep {
  readonly plan: Plan;
  /** The number of its generation. */
  readonly generation: number;
  /** Counted from 1 within its generation. */
  readonly number: number;
  readonly step: Step;
}

/** All steps in the order in which they are taken: generation by generation, of each namespace in turn. */
export function placedSteps(plans: readonly Plan[]): readonly PlacedStep[] {
  return plans
    .flatMap((plan) => plan.generations.map((generation) => ({ plan, generation })))
    .sort((a, b) => a.generation.number - b.generation.number)
    .flatMap(({ plan, generation }) =>
      generation.steps.map((step, index) => ({ plan, generation: generation.number, number: index + 1, step })),
    );
}

/** OLM v1 has no InstallPlans and no Subscriptions. */
export function isOfNamespace({ namespace }: Plan): boolean {
  return namespace !== CLUSTER_SCOPE;
}

/** The name of the InstallPlan that takes a step. */
export function installPlanName({ generation, number }: Pick<PlacedStep, "generation" | "number">): string {
  return `install-g${generation}-${number}`;
}

/** The manifests as YAML documents, in the order in which they are created; an empty text if there are none. */
export function subscriptionManifests({ plans }: Pick<ShownPlans, "plans">): string {
  const manifests = placedSteps(plans).flatMap(({ step }) =>
    (step.actions ?? []).flatMap(({ verb, kind, manifest }) =>
      verb === "create" && kind === "Subscription" && manifest !== undefined ? [withoutOrigin(manifest)] : [],
    ),
  );
  return manifests.map(printYaml).join("---\n");
}
