// What would an operator like to have?

import type { RequirementRule } from "./requirement.ts";

/**
 * An optional requirement (seed 000, `optional: true`): it forbids nothing. A variable tells whether it is met, and the more
 * of them the better: `¬met ∨ ¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
 */
export const optional: RequirementRule = {
  name: "optional",
  isOf: (requirement) => requirement.optional,
};
