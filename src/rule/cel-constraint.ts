// Which CEL rule must hold for a member?

import type { RequirementRule } from "./requirement.ts";

/** A CEL rule holds for the properties of some member (seed 000; OLM): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. */
export const celConstraint: RequirementRule = {
  name: "cel-constraint",
  isOf: ({ constraint }) => constraint.kind === "cel",
};
