// What does an operator depend on: an API, a package or a label?

import type { RequirementRule } from "./requirement.ts";

/** A dependency is met by any member, including the operator itself (OLM): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. */
export const dependency: RequirementRule = {
  name: "dependency",
  isOf: ({ constraint: { kind } }) => kind === "gvk" || kind === "package" || kind === "label",
};
