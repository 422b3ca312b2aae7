// How does a member require something of others? The shape of requirements: nested `all`, `any` and `none` over
// everything that runs together, where each part gets a literal that implies it, or that it implies, as needed.

import type { Constraint } from "../../constraint/constraint.ts";
import { isPredicate, predicateOf } from "../../constraint/predicate-key.ts";
import { type Literal, negate } from "../../sat/literal.ts";
import type { Clauses, Guards } from "./clauses.ts";

/**
 * One of the guards is true, or the constraint holds. The guards are false only while `self` is in the answer, so
 * what `self` itself matches holds.
 * Clause: `guards ∨ provider₁ ∨ provider₂ …`.
 */
export function requires<Member>(to: Clauses<Member>, guards: Guards, constraint: Constraint, self: Member): void {
  if (isPredicate(constraint)) {
    const holds = implies(to, constraint, self, false);
    if (holds !== to.truth) to.clause([...guards, holds]);
    return;
  }
  if (constraint.kind === "all") for (const child of constraint.constraints) requires(to, guards, child, self);
  else if (constraint.kind === "any")
    to.clause([...guards, ...constraint.constraints.map((child) => implies(to, child, self, false))]);
  else if (constraint.kind === "none") for (const child of constraint.constraints) forbids(to, guards, child, self);
}

/**
 * One of the guards is true, or the constraint does not hold among the others.
 * Clause: `guards ∨ ¬match₁`, `guards ∨ ¬match₂` …
 */
function forbids<Member>(to: Clauses<Member>, guards: Guards, constraint: Constraint, self: Member): void {
  if (!isPredicate(constraint) && constraint.kind === "any")
    for (const child of constraint.constraints) forbids(to, guards, child, self);
  else to.clause([...guards, negate(impliedBy(to, constraint, self))]);
}

/** A literal that can be true only if the constraint holds; below a `none`, among the others only. */
function implies<Member>(to: Clauses<Member>, constraint: Constraint, self: Member, amongOthers: boolean): Literal {
  if (isPredicate(constraint)) {
    const predicate = predicateOf(constraint);
    if (!amongOthers && to.matches(predicate, self)) return to.truth;
    return to.gate(predicate, self, amongOthers);
  }
  const literal = to.newLiteral();
  const guards = [negate(literal)];
  if (constraint.kind === "all")
    for (const child of constraint.constraints) to.clause([...guards, implies(to, child, self, amongOthers)]);
  else if (constraint.kind === "any")
    to.clause([...guards, ...constraint.constraints.map((child) => implies(to, child, self, amongOthers))]);
  else if (constraint.kind === "none") for (const child of constraint.constraints) forbids(to, guards, child, self);
  return literal;
}

/** A literal that is true if the constraint holds among the others. */
function impliedBy<Member>(to: Clauses<Member>, constraint: Constraint, self: Member): Literal {
  if (isPredicate(constraint)) return to.presence(predicateOf(constraint), self);
  const literal = to.newLiteral();
  if (constraint.kind === "all")
    to.clause([literal, ...constraint.constraints.map((child) => negate(impliedBy(to, child, self)))]);
  else if (constraint.kind === "any")
    for (const child of constraint.constraints) to.clause([literal, negate(impliedBy(to, child, self))]);
  else if (constraint.kind === "none")
    to.clause([literal, ...constraint.constraints.map((child) => implies(to, child, self, true))]);
  return literal;
}
