// Where do the clauses of rules go? To the solver of an answer, or behind switches to that of an explanation. And the
// simple shapes: one of a list, none, and two sides that exclude each other.

import type { Predicate } from "../../constraint/predicate-key.ts";
import { type Literal, negate } from "../../sat/literal.ts";

/** Receives clauses about members. */
export interface Clauses<Member> {
  /** Always true. */
  readonly truth: Literal;
  newLiteral(): Literal;
  /** One of the literals is true. */
  clause(literals: readonly Literal[]): void;
  /** True if the member is in the answer. */
  there(member: Member): Literal;
  /** Does a predicate hold for a member? */
  matches(predicate: Predicate, member: Member): boolean;
  /** A literal that can be true only if a member matches; optionally without the requirer itself. */
  gate(predicate: Predicate, requirer: Member, withoutSelf: boolean): Literal;
  /** A literal that is true if any member except the requirer matches. */
  presence(predicate: Predicate, requirer: Member): Literal;
}

/** Literals of which one is true if a rule is not in force. */
export type Guards = readonly Literal[];

/** The members that are excluded whichever of these is present. */
export type Excludes = (present: readonly number[]) => readonly number[];

/** The shape of requests: `member₁ ∨ member₂ ∨ …`. */
export function oneOf<Member>(to: Clauses<Member>, guards: Guards, members: readonly Member[]): void {
  to.clause([...guards, ...members.map((member) => to.there(member))]);
}

/** The shape of rules about a single operator: `¬member`. */
export function refused<Member>(to: Clauses<Member>, guards: Guards, member: Member): void {
  to.clause([...guards, negate(to.there(member))]);
}

/** The shape of custom kinds that are required and no longer served: `¬one ∨ ¬other`. */
export function apart<Member>(to: Clauses<Member>, guards: Guards, one: Member, other: Member): void {
  to.clause([...guards, negate(to.there(one)), negate(to.there(other))]);
}

/** Each side excludes the other; members of one side do not exclude each other. */
export function otherSide(one: ReadonlySet<number>, other: ReadonlySet<number>): Excludes {
  return (present) => {
    if (present.every((member) => one.has(member))) return [...other];
    return present.every((member) => other.has(member)) ? [...one] : [];
  };
}
