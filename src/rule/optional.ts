// Which optional requirements does an operator have?

import type { RequirementRule } from "./requirement.ts";

/**
 * An optional requirement (seed 000, `optional: true`): it excludes nothing. A variable states whether it is met, and
 * their number is maximised: `¬met ∨ ¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
 */
export const optional: RequirementRule = {
  name: "optional",
  isOf: (requirement) => requirement.optional,
};
