// Does a requirement hold over a list of members?

import type { Constraint } from "../../constraint/constraint.ts";
import { isPredicate, type Predicate, predicateOf } from "../../constraint/predicate-key.ts";

/** Can a member meet a positive requirement? Exclusions ignore this. */
export type MayServe<Member> = (member: Member) => boolean;

/** Evaluates predicates on members. */
export interface Matcher<Member> {
  matches(predicate: Predicate, member: Member): boolean;
}

/** Does the constraint of the member `self` hold over these members? */
export function holdsOver<Member>(
  world: Matcher<Member>,
  constraint: Constraint,
  members: readonly Member[],
  self: Member,
  mayServe?: MayServe<Member>,
): boolean {
  if (isPredicate(constraint)) return someMatches(world, predicateOf(constraint), members, mayServe);
  if (constraint.kind === "all")
    return constraint.constraints.every((child) => holdsOver(world, child, members, self, mayServe));
  if (constraint.kind === "any")
    return constraint.constraints.some((child) => holdsOver(world, child, members, self, mayServe));
  if (constraint.kind !== "none") return false;
  const others = members.filter((member) => member !== self);
  return constraint.constraints.every((child) => !holdsOver(world, child, others, self));
}

function someMatches<Member>(
  world: Matcher<Member>,
  predicate: Predicate,
  members: readonly Member[],
  mayServe: MayServe<Member> | undefined,
): boolean {
  for (const member of members)
    if (world.matches(predicate, member) && (mayServe === undefined || mayServe(member))) return true;
  return false;
}
