// Why is an operator held?

import type { Installed } from "../model/problem.ts";
import type { Lift } from "./shape/lift.ts";

/**
 * A held operator is kept: by an OperatorCondition `Upgradeable=False` (OLM), by `--hold`, or because its
 * Subscription is Manual and not approved: `kept`, and `¬targetᵢ` for every update of its channel
 * (shape/stay-or-move.ts).
 */
export function isHeld({ hold }: Pick<Installed, "hold">): boolean {
  return hold !== undefined;
}

/** The changes that could lift a hold; `owners` are the packages of the requests that claim the operator. */
export function liftsOfHold({ hold, package: own }: Installed, owners: readonly string[]): readonly Lift[] {
  switch (hold?.by) {
    case "flag": {
      const owner = hold.package ?? own ?? owners[0];
      return owner === undefined ? [] : [{ kind: "release", package: owner, flag: "hold" }];
    }
    case "approval":
      return owners.map((owner) => ({ kind: "approve", package: owner }));
    default:
      return [];
  }
}
