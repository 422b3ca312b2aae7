// What do the InstallPlans of a namespace tell? How many there have been, and whether the latest one has failed: OLM does not
// try a failed one again.

import type { InstallPlan } from "../../model/install-plan.ts";
import { compareText } from "../../model/json.ts";
import type { Installed } from "../../model/problem.ts";
import type { PreparationWarning } from "./given.ts";

/** The InstallPlan of a namespace with the highest number; of several, the last by name. */
export function latestPlan(plans: readonly InstallPlan[], namespace: string): InstallPlan | undefined {
  return plans
    .filter((one) => one.namespace === namespace)
    .sort((a, b) => a.generation - b.generation || compareText(a.name, b.name))
    .at(-1);
}

/** A warning if the latest InstallPlan has failed and something of it does not run (case P13). */
export function failedPlan(
  plan: InstallPlan | undefined,
  installed: readonly Installed[],
  failForward: boolean,
): readonly PreparationWarning[] {
  if (plan?.phase !== "Failed") return [];
  const { namespace, name, message, place } = plan;
  const missing = plan.clusterServiceVersionNames.filter((one) => !installed.some((other) => other.name === one));
  if (missing.length === 0) return [];
  const why = message === undefined || message === "" ? "" : ` (${message})`;
  const next = failForward
    ? "OLM does not try it again; it goes on only to an entry that skips what has failed"
    : "OLM does not try it again, and does nothing in the namespace until the InstallPlan is deleted";
  return [
    {
      code: "failed-install-plan",
      message: `InstallPlan ${namespace}/${name}, which was to bring ${missing.join(", ")}, has failed${why}: ${next}`,
      place,
      namespace,
    },
  ];
}
