// Where do the clauses of rules go? To the solver of an answer, or behind switches to that of an explanation.

import type { Predicate } from "../../constraint/predicate-key.ts";
import type { Literal } from "../../sat/literal.ts";

/** Takes clauses about members of some kind. */
export interface Clauses<Member> {
  /** Always true. */
  readonly truth: Literal;
  newLiteral(): Literal;
  clause(...literals: readonly Literal[]): void;
  /** The same for a list that may be too long for arguments. */
  longClause(literals: readonly Literal[]): void;
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
