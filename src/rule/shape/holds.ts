// Does a demand hold over members that are given one by one?

import type { Constraint } from "../../constraint/constraint.ts";
import { isPredicate, type Predicate, predicateOf } from "../../constraint/predicate-key.ts";

/** May a member serve a demand that asks for somebody? Those that only keep others away need nobody's leave. */
export type MayServe<Member> = (member: Member) => boolean;

/** Answers whether a predicate is true of a member. */
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
