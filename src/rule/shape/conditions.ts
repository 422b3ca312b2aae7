// What follows for others if a member is there? Its demands as sets: one of these has to be there, none of those can be.

import type { Constraint } from "../../constraint/constraint.ts";
import { isPredicate, type Predicate, predicateOf } from "../../constraint/predicate-key.ts";

/** Who meets a predicate, for a member that demands it. */
export type Matches<Member> = (
  predicate: Predicate,
  requirer: Member,
) => {
  readonly members: readonly Member[];
  /** Members that match, but may not serve while a catalog is not available. */
  readonly doubtful: readonly Member[];
  /** Those that are there whatever is chosen. */
  readonly fixed: readonly unknown[];
};

/** One consequence of a demand. */
export interface Condition<Member> {
  readonly kind: "some" | "none";
  /** One of these has to be there; or none of these can be. Without members a `some` cannot be met. */
  readonly members: readonly Member[];
  /** It would be met by somebody else, if a catalog that is not available did not come first. */
  readonly isDoubtful: boolean;
}

/** What a demand means: conditions that hold together, or nothing where that cannot be said in sets. */
export type Meaning<Member> = readonly Condition<Member>[] | undefined;

/** More conditions than this, from alternatives of alternatives, are not written out. */
const MAX_CONDITIONS = 32;

/** The conditions of a demand; `hides` while catalogs that are not available hide providers. */
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

/** What must not be: of everybody else, whoever matches. */
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

/** That somebody else is there, beneath a `none` of a `none`: no catalog hides anybody from that. */
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
  // What cannot be said is left out: the rest follows all the same.
  return known.length < meanings.length && all.length === 0 ? undefined : all.slice(0, MAX_CONDITIONS);
}

/** One of the parts: one condition of each, in every combination. */
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
