// Does a demand hold over members that are given one by one?

import type { Constraint } from "../constraint/constraint.ts";
import type { Property } from "../model/catalog.ts";
import { isPredicate, type Predicate, predicateOf } from "./predicate-key.ts";
import type { Universe } from "./universe.ts";

/** Does the constraint of the member `self` (by its properties) hold over these members? */
export function holdsOver(
  universe: Universe,
  constraint: Constraint,
  members: readonly (readonly Property[])[],
  self: readonly Property[],
): boolean {
  if (isPredicate(constraint)) return someMatches(universe, predicateOf(constraint), members);
  if (constraint.kind === "all")
    return constraint.constraints.every((child) => holdsOver(universe, child, members, self));
  if (constraint.kind === "any")
    return constraint.constraints.some((child) => holdsOver(universe, child, members, self));
  if (constraint.kind !== "none") return false;
  const others = members.filter((member) => member !== self);
  return constraint.constraints.every((child) => !holdsOver(universe, child, others, self));
}

function someMatches(universe: Universe, predicate: Predicate, members: readonly (readonly Property[])[]): boolean {
  for (const member of members) if (universe.isMatch(predicate, member)) return true;
  return false;
}
