// Which operators must not be updated? Those whose OperatorCondition is not upgradeable, and those of packages named
// with --hold.

import type { OperatorCondition } from "../../model/operator-condition.ts";
import type { Hold, Installed, Request } from "../../model/problem.ts";

/** The package of a request, and the operator that it claims. */
export interface PackageRequest {
  readonly package: string;
  readonly installed?: string | undefined;
}

/** The hold from an operator's condition Upgradeable, if it has one. */
export function holdByCondition(condition: OperatorCondition | undefined): Hold | undefined {
  const upgradeable = condition?.upgradeable;
  if (upgradeable?.status !== "False") return undefined;
  const text = upgradeable.message || upgradeable.reason || "its condition Upgradeable is False";
  return { by: "condition", text };
}

/** The operator, held if its package is named: its own, or that of a request that claims it. */
export function heldByFlag(installed: Installed, held: readonly string[], requests: readonly Request[]): Installed {
  if (held.length === 0 || installed.hold !== undefined) return installed;
  const owner = held.find((one) => isOfPackage(installed, one, requests));
  return owner === undefined
    ? installed
    : { ...installed, hold: { by: "flag", text: `--hold ${owner}`, package: owner } };
}

/** Is an operator of a package, or claimed by a request for it? */
export function isOfPackage(installed: Installed, owner: string, requests: readonly PackageRequest[]): boolean {
  return (
    installed.package === owner ||
    requests.some((request) => request.installed === installed.name && request.package === owner)
  );
}
