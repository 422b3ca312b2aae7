// Does a demand hold over members that are given one by one?

import type { Constraint } from "../constraint/constraint.ts";
import { type Member, propertiesOf } from "./member.ts";
import { isPredicate, type Predicate, predicateOf } from "./predicate-key.ts";
import type { Universe } from "./universe.ts";

/** May a member serve a demand that asks for somebody? Those that only keep others away need nobody's leave. */
export type MayServe = (member: Member) => boolean;

/** Does the constraint of the member `self` hold over these members? */
export function holdsOver(
  universe: Universe,
  constraint: Constraint,
  members: readonly Member[],
  self: Member,
  mayServe?: MayServe,
): boolean {
  if (isPredicate(constraint)) return someMatches(universe, predicateOf(constraint), members, mayServe);
  if (constraint.kind === "all")
    return constraint.constraints.every((child) => holdsOver(universe, child, members, self, mayServe));
  if (constraint.kind === "any")
    return constraint.constraints.some((child) => holdsOver(universe, child, members, self, mayServe));
  if (constraint.kind !== "none") return false;
  const others = members.filter((member) => member !== self);
  return constraint.constraints.every((child) => !holdsOver(universe, child, others, self));
}

function someMatches(
  universe: Universe,
  predicate: Predicate,
  members: readonly Member[],
  mayServe: MayServe | undefined,
): boolean {
  for (const member of members)
    if (universe.isMatch(predicate, propertiesOf(member)) && (mayServe === undefined || mayServe(member))) return true;
  return false;
}
