// Which few causes forbid it? From a "no" of the solver to causes of which none can be left out, each with only those
// versions that matter.

import type { Budget } from "../../sat/solver.ts";
import type { Candidate } from "../catalog-index.ts";
import type { Cause } from "./cause.ts";
import { type ConflictSearch, type Finding, oneQuestion, type Work, workOf } from "./conflict-search.ts";
import { fewest, neededParts } from "./minimise.ts";
import { causeOf, type RuleInstances, UNAVAILABLE, unavailableCause } from "./rule-instances.ts";
import { type Entry, SwitchedClauses } from "./switched-clauses.ts";
import type { WhyNot } from "./why-not.ts";

/** Why it cannot be; or that it can, or that nobody knows. */
export type Conflict =
  | { readonly kind: "impossible"; readonly causes: readonly Cause[]; readonly isMinimal: boolean }
  /** Beside what runs, these bundles make it possible. */
  | { readonly kind: "possible"; readonly nodes: readonly Candidate[] }
  | { readonly kind: "undecided" };

/** So often more causes are looked at while not everything is owed yet, and when it is. */
const FIRST_STEPS = 4;
const LAST_STEPS = 100_000;

/**
 * Finds out why the goal of a whyNot cannot be; the search can be asked on. Alone, if it cannot be at all; beside what
 * people asked for, if that is why; and only then beside what the answer prefers.
 */
export function findConflict(search: ConflictSearch, { goal, requests, preferred }: WhyNot, work: Work): Conflict {
  const stages = preferred.length === 0 ? [goal, requests] : [goal, requests, preferred];
  let found: Finding = { kind: "undecided" };
  for (const [index, wishes] of stages.entries()) {
    search.wish(wishes);
    found = search.ask(index === stages.length - 1 ? LAST_STEPS : FIRST_STEPS, work);
    if (found.kind === "forbidden") break;
  }
  return narrowed(search.parts, found, work);
}

function narrowed(parts: RuleInstances, found: Finding, work: Work): Conflict {
  if (found.kind !== "forbidden") return found;
  const switched = partedClauses(parts, found.entries);
  const keys = new Set(found.entries.map(({ key }) => key));
  const all = [...switched.entries.values()].filter(({ key }) => keys.has(key));
  const budget = (): Budget => oneQuestion({ ...work, left: work.left - workOf(switched) });
  const few = fewest(switched, all, budget);
  const parted = few === undefined ? [] : neededParts(switched, few.entries, budget);
  work.left -= workOf(switched);
  if (few === undefined) return { kind: "undecided" };
  const causes = few.entries.flatMap(({ key }, index) => {
    const own = (parted[index] ?? []).map(({ part }) => part);
    if (key === UNAVAILABLE) return [unavailableCause(parts.question)];
    // One that was only kept because the budget gave out may turn out to be needless after all.
    return own.length === 0 ? [] : [causeOf(own)];
  });
  return { kind: "impossible", causes, isMinimal: few.isMinimal };
}

/** The same causes, with a switch for each version that has a part in them. */
function partedClauses(parts: RuleInstances, entries: readonly Entry[]): SwitchedClauses {
  const keys = new Set(entries.map(({ key }) => key));
  const switched: SwitchedClauses = new SwitchedClauses(parts, true, (node) =>
    switched.add(parts.of(node).filter(({ key }) => keys.has(key))),
  );
  for (const { parts: known } of entries) switched.add(known.map(({ part }) => part));
  return switched;
}
