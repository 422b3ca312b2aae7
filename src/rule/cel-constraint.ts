// Which CEL rule must be true of a member?

import type { RequirementRule } from "./requirement.ts";

/** A CEL rule is true of the properties of some member (seed 000; OLM): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. */
export const celConstraint: RequirementRule = {
  name: "cel-constraint",
  isOf: ({ constraint }) => constraint.kind === "cel",
};
