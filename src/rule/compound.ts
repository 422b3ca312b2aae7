// What does an operator require of several others together, or of one in several respects?

import type { RequirementRule } from "./requirement.ts";

/**
 * A compound (seed 003; in OLM only the scope `bundle`). Each child has its own variable, `holdsᵢ`.
 * Scope `solution`: `all` is `¬bundle ∨ holdsᵢ` for each child; `any` is `¬bundle ∨ holds₁ ∨ holds₂ ∨ …`; `none` is
 * `¬bundle ∨ ¬other` for each other member that makes a child hold.
 * Scope `bundle`: one predicate, like a leaf: `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
 */
export const compound: RequirementRule = {
  name: "compound",
  isOf: ({ constraint }) => "constraints" in constraint,
};
