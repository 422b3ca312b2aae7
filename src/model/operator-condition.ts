// What does an operator report about itself? OLM's OperatorCondition.

import type { Condition } from "./condition.ts";
import type { NamespacedObject } from "./object.ts";

/** The conditions of an operator, from itself or an administrator. Its name is that of the ClusterServiceVersion. */
export interface OperatorCondition extends NamespacedObject {
  readonly generation: number;
  /** Overrides by an administrator. */
  readonly overrides: readonly Condition[];
  /** Conditions from the operator. */
  readonly conditions: readonly Condition[];
  /** Conditions that OLM has taken over from the operator. */
  readonly statusConditions: readonly Condition[];
  /** The effective condition Upgradeable: the override, else the status, else the operator's. */
  readonly upgradeable?: Condition | undefined;
}
