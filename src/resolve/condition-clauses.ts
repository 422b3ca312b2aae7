// How does a demand become clauses? With nested `all`, `any` and `none` over everything that runs together: each part
// gets a literal that implies it, or that it implies, whichever is needed.

import type { Constraint } from "../constraint/constraint.ts";
import { type Literal, negate } from "../sat/literal.ts";
import { propertiesOf, type Self } from "./member.ts";
import { isPredicate, type Predicate, predicateOf } from "./predicate-key.ts";
import type { Universe } from "./universe.ts";

/** Where clauses go. */
export interface Clauses {
  readonly universe: Universe;
  /** Always true. */
  readonly truth: Literal;
  newLiteral(): Literal;
  clause(...literals: readonly Literal[]): void;
  /** A literal that can be true only if somebody matches; without the requirer where it does not count itself. */
  gate(predicate: Predicate, requirer: Self, withoutSelf: boolean): Literal;
  readonly presences: {
    /** A literal that is true if anybody but the requirer matches. */
    literalOf(predicate: Predicate, requirer: Self): Literal;
  };
}

/**
 * One of the guards is true, or the constraint holds. The guards are false only while `self` is in the answer, so what
 * `self` itself matches holds.
 * Clause: `guards ∨ provider₁ ∨ provider₂ …`.
 */
export function requireConstraint(
  encoding: Clauses,
  guards: readonly Literal[],
  constraint: Constraint,
  self: Self,
): void {
  if (isPredicate(constraint)) {
    const holds = implies(encoding, constraint, self, false);
    if (holds !== encoding.truth) encoding.clause(...guards, holds);
    return;
  }
  if (constraint.kind === "all")
    for (const child of constraint.constraints) requireConstraint(encoding, guards, child, self);
  else if (constraint.kind === "any")
    encoding.clause(...guards, ...constraint.constraints.map((child) => implies(encoding, child, self, false)));
  else if (constraint.kind === "none")
    for (const child of constraint.constraints) forbidConstraint(encoding, guards, child, self);
}

/**
 * One of the guards is true, or the constraint does not hold among the others.
 * Clause: `guards ∨ ¬match₁`, `guards ∨ ¬match₂` …
 */
function forbidConstraint(encoding: Clauses, guards: readonly Literal[], constraint: Constraint, self: Self): void {
  if (!isPredicate(constraint) && constraint.kind === "any")
    for (const child of constraint.constraints) forbidConstraint(encoding, guards, child, self);
  else encoding.clause(...guards, negate(impliedBy(encoding, constraint, self)));
}

/** A literal that can be true only if the constraint holds; over the others only, beneath a `none`. */
function implies(encoding: Clauses, constraint: Constraint, self: Self, amongOthers: boolean): Literal {
  if (isPredicate(constraint)) {
    const predicate = predicateOf(constraint);
    if (!amongOthers && encoding.universe.isMatch(predicate, propertiesOf(self))) return encoding.truth;
    return encoding.gate(predicate, self, amongOthers);
  }
  const literal = encoding.newLiteral();
  const guards = [negate(literal)];
  if (constraint.kind === "all")
    for (const child of constraint.constraints) encoding.clause(...guards, implies(encoding, child, self, amongOthers));
  else if (constraint.kind === "any")
    encoding.clause(...guards, ...constraint.constraints.map((child) => implies(encoding, child, self, amongOthers)));
  else if (constraint.kind === "none")
    for (const child of constraint.constraints) forbidConstraint(encoding, guards, child, self);
  return literal;
}

/** A literal that is true if the constraint holds among the others. */
function impliedBy(encoding: Clauses, constraint: Constraint, self: Self): Literal {
  if (isPredicate(constraint)) return encoding.presences.literalOf(predicateOf(constraint), self);
  const literal = encoding.newLiteral();
  if (constraint.kind === "all")
    encoding.clause(literal, ...constraint.constraints.map((child) => negate(impliedBy(encoding, child, self))));
  else if (constraint.kind === "any")
    for (const child of constraint.constraints) encoding.clause(literal, negate(impliedBy(encoding, child, self)));
  else if (constraint.kind === "none")
    encoding.clause(literal, ...constraint.constraints.map((child) => implies(encoding, child, self, true)));
  return literal;
}
