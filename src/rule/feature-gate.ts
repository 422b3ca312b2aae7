// May a bundle use compound constraints here?

import type { Requirements } from "../constraint/constraint.ts";
import { type Rule, rule } from "./rule.ts";

/** With the gate CompoundConstraintsV1Alpha1 off, a bundle with a compound is not newly chosen (seed 003): `¬bundle`. */
export function featureGateRule(
  subject: string,
  { hasCompounds }: Pick<Requirements, "hasCompounds">,
  isOn: boolean,
): Rule | undefined {
  if (isOn || !hasCompounds) return undefined;
  const text = `${subject} has a compound constraint, and the feature gate CompoundConstraintsV1Alpha1 is off`;
  return rule("feature-gate", subject, text);
}
