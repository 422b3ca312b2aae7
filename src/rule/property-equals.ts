// Which property must a member have?

import type { RequirementRule } from "./requirement.ts";

/** Some member has a property with a value (seed 000): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. */
export const propertyEquals: RequirementRule = {
  name: "property-equals",
  isOf: ({ constraint }) => constraint.kind === "propertyEquals",
};
