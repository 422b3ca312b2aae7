// What does an operator demand of several others together, or of one in several respects?

import type { RequirementRule } from "./requirement.ts";

/**
 * A compound (seed 003; of OLM the scope `bundle`). Each child has a variable of its own, `holdsᵢ`.
 * Scope `solution`: `all` is `¬bundle ∨ holdsᵢ` for each child; `any` is `¬bundle ∨ holds₁ ∨ holds₂ ∨ …`; `none` is
 * `¬bundle ∨ ¬other` for each other member that a child would hold by.
 * Scope `bundle`: one predicate, as a leaf: `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
 */
export const compound: RequirementRule = {
  name: "compound",
  isOf: ({ constraint }) => "constraints" in constraint,
};
