// What follows for other members if a member is present? Its requirements as sets: one of these must be present, none
// of those can be.

import type { Constraint } from "../../constraint/constraint.ts";
import { isPredicate, type Predicate, predicateOf } from "../../constraint/predicate-key.ts";

/** The members that meet a predicate, for the one that requires it. */
export type Matches<Member> = (
  predicate: Predicate,
  requirer: Member,
) => {
  readonly members: readonly Member[];
  /** Members that match but cannot be used while a catalog is unavailable. */
  readonly doubtful: readonly Member[];
  /** Members that are always present. */
  readonly fixed: readonly unknown[];
};

/** One consequence of a requirement. */
export interface Condition<Member> {
  readonly kind: "some" | "none";
  /** One of these must be present; or none of these can be. Without members a `some` cannot be met. */
  readonly members: readonly Member[];
  /** Another member would meet it if an unavailable catalog did not come first. */
  readonly isDoubtful: boolean;
}

/** The meaning of a requirement: conditions that hold together, or undefined if it cannot be expressed as sets. */
export type Meaning<Member> = readonly Condition<Member>[] | undefined;

/** Number of conditions expanded from nested alternatives. */
const MAX_CONDITIONS = 32;

/** The conditions of a requirement; `hides` while unavailable catalogs hide providers. */
export function conditionsOf<Member>(
  constraint: Constraint,
  self: Member,
  matches: Matches<Member>,
  hides: boolean,
): Meaning<Member> {
  if (isPredicate(constraint)) return leaf(constraint, self, matches, hides);
  if (!("constraints" in constraint)) return undefined;
  const parts = constraint.constraints;
  if (constraint.kind === "none") return together(parts.map((part) => absence(part, self, matches)));
  const meanings = parts.map((part) => conditionsOf(part, self, matches, hides));
  return constraint.kind === "all" ? together(meanings) : either(meanings);
}

function leaf<Member>(constraint: Constraint, self: Member, matches: Matches<Member>, hides: boolean): Meaning<Member> {
  const { members, doubtful, fixed } = matches(predicateOf(constraint), self);
  if (fixed.length > 0 || members.includes(self) || doubtful.includes(self)) return [];
  const isDoubtful = hides && doubtful.length > 0;
  const all = hides || doubtful.length === 0 ? members : [...members, ...doubtful];
  return [{ kind: "some", members: all, isDoubtful }];
}

/** What is excluded: all other members that match. */
function absence<Member>(constraint: Constraint, self: Member, matches: Matches<Member>): Meaning<Member> {
  if (isPredicate(constraint)) {
    const { members, doubtful, fixed } = matches(predicateOf(constraint), self);
    if (fixed.some((one) => one !== self)) return [{ kind: "some", members: [], isDoubtful: false }];
    const others = [...members, ...doubtful].filter((one) => one !== self);
    return others.length === 0 ? [] : [{ kind: "none", members: others, isDoubtful: false }];
  }
  if (!("constraints" in constraint)) return undefined;
  const parts = constraint.constraints;
  if (constraint.kind === "any") return together(parts.map((part) => absence(part, self, matches)));
  return constraint.kind === "none" ? either(parts.map((part) => presence(part, self, matches))) : undefined;
}

/** Another member must be present, below a `none` of a `none`: unavailable catalogs do not matter for that. */
function presence<Member>(constraint: Constraint, self: Member, matches: Matches<Member>): Meaning<Member> {
  if (!isPredicate(constraint)) return undefined;
  const { members, doubtful, fixed } = matches(predicateOf(constraint), self);
  if (fixed.some((one) => one !== self)) return [];
  const others = [...members, ...doubtful].filter((one) => one !== self);
  return [{ kind: "some", members: others, isDoubtful: false }];
}

function together<Member>(meanings: readonly Meaning<Member>[]): Meaning<Member> {
  const known = meanings.filter((one) => one !== undefined);
  const all = known.flat();
  // Parts that cannot be expressed are left out: the rest still follows.
  return known.length < meanings.length && all.length === 0 ? undefined : all.slice(0, MAX_CONDITIONS);
}

/** A disjunction: one condition of each part, in every combination. */
function either<Member>(meanings: readonly Meaning<Member>[]): Meaning<Member> {
  let sofar: readonly Condition<Member>[] = [{ kind: "some", members: [], isDoubtful: false }];
  for (const meaning of meanings) {
    if (meaning === undefined || meaning.some(({ kind }) => kind === "none")) return undefined;
    if (sofar.length * meaning.length > MAX_CONDITIONS) return undefined;
    sofar = sofar.flatMap((one) =>
      meaning.map((other) => ({
        kind: "some",
        members: [...new Set([...one.members, ...other.members])],
        isDoubtful: one.isDoubtful || other.isDoubtful,
      })),
    );
  }
  return sofar;
}
