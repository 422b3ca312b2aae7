// What do the InstallPlans of a namespace show? Their number, and whether the latest one has failed: OLM does not
// retry a failed one.

import type { InstallPlan } from "../../model/install-plan.ts";
import { compareText } from "../../model/json.ts";
import { plainPlace } from "../../model/place.ts";
import type { Installed } from "../../model/problem.ts";
import type { PreparationWarning } from "./problem-inputs.ts";

/** The InstallPlan of a namespace with the highest generation; the last by name among equals. */
export function latestPlan(plans: readonly InstallPlan[], namespace: string): InstallPlan | undefined {
  return plans
    .filter((one) => one.namespace === namespace)
    .sort((a, b) => a.generation - b.generation || compareText(a.name, b.name))
    .at(-1);
}

/** A warning if the latest InstallPlan has failed and one of its operators is not installed (case P13). */
export function failedPlan(
  plan: InstallPlan | undefined,
  installed: readonly Installed[],
  failForward: boolean,
): readonly PreparationWarning[] {
  if (plan?.phase !== "Failed") return [];
  const { namespace, name, message, place } = plan;
  const missing = plan.clusterServiceVersionNames.filter((one) => !installed.some((other) => other.name === one));
  if (missing.length === 0) return [];
  return [
    {
      code: "failed-install-plan",
      plan: `${namespace}/${name}`,
      missing,
      ...(message !== undefined && message !== "" && { message }),
      isForward: failForward,
      place: plainPlace(place),
      namespace,
    },
  ];
}
