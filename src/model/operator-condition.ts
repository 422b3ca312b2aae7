// What does an operator say about itself? OLM's OperatorCondition.

import type { Condition } from "./condition.ts";
import type { Place } from "./place.ts";

/** What an operator, or an administrator in its place, tells OLM. Its name is that of the ClusterServiceVersion. */
export interface OperatorCondition {
  readonly place: Place;
  readonly namespace: string;
  readonly name: string;
  readonly generation: number;
  /** What an administrator says instead of the operator. */
  readonly overrides: readonly Condition[];
  /** What the operator says. */
  readonly conditions: readonly Condition[];
  /** What OLM has taken over from the operator. */
  readonly statusConditions: readonly Condition[];
  /** The condition Upgradeable that counts: the override, else the status, else what the operator says. */
  readonly upgradeable?: Condition | undefined;
}
