// Which operators must stay as they are? Those that say themselves that they cannot be upgraded, and those of packages
// that were named with --hold.

import type { OperatorCondition } from "../../model/operator-condition.ts";
import type { Hold, Installed, Request } from "../../model/problem.ts";

/** Why an operator holds itself, if its condition Upgradeable says so. */
export function holdByCondition(condition: OperatorCondition | undefined): Hold | undefined {
  const upgradeable = condition?.upgradeable;
  if (upgradeable?.status !== "False") return undefined;
  const text = upgradeable.message || upgradeable.reason || "its condition Upgradeable is False";
  return { by: "condition", text };
}

/** The operator, held if its package is among those named: the package it is of, or that of a request that claims it. */
export function heldByFlag(installed: Installed, held: readonly string[], requests: readonly Request[]): Installed {
  if (held.length === 0 || installed.hold !== undefined) return installed;
  const owner = held.find((one) => isOfPackage(installed, one, requests));
  return owner === undefined
    ? installed
    : { ...installed, hold: { by: "flag", text: `--hold ${owner}`, package: owner } };
}

/** Whether an operator is of a package, or is kept up to date from it. */
export function isOfPackage(installed: Installed, owner: string, requests: readonly Request[]): boolean {
  return (
    installed.package === owner ||
    requests.some((request) => request.installed === installed.name && request.package === owner)
  );
}
