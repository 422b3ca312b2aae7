// Is a constraint a compound, and is it one predicate over one single member?

import type { CompoundConstraint, Constraint } from "./constraint.ts";

/** Does it consist of other constraints? */
export function isCompound(constraint: Constraint): constraint is CompoundConstraint {
  return constraint.kind === "all" || constraint.kind === "any" || constraint.kind === "none";
}

/** Does it speak about one single member: a leaf, or a compound of scope `bundle`? */
export function isPredicate(constraint: Constraint): boolean {
  return !isCompound(constraint) || constraint.scope === "bundle";
}
