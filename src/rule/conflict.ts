// Which operators exclude an operator?

import type { RequirementRule } from "./requirement.ts";

/**
 * The action `conflict` (seed 000): no other member satisfies the constraint: `¬bundle ∨ ¬other` for each one that
 * does. It is read as a `none` around the constraint.
 */
export const conflict: RequirementRule = {
  name: "conflict",
  isOf: ({ action }) => action === "conflict",
};
