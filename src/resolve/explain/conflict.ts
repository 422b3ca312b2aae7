// Which few causes rule it out? From an unsatisfiable answer of the solver to an irreducible set of causes, each with
// only the versions that matter.

import type { Budget } from "../../sat/solver.ts";
import type { Candidate } from "../catalog-index.ts";
import type { Cause } from "./cause.ts";
import { type ConflictSearch, type Finding, oneQuestion, type Work, workOf } from "./conflict-search.ts";
import { fewest, neededParts } from "./minimise.ts";
import { causeOf, type RuleInstances, UNAVAILABLE, unavailableCause } from "./rule-instances.ts";
import { type Entry, SwitchedClauses } from "./switched-clauses.ts";
import type { WhyNot } from "./why-not.ts";

/** Why it is not possible; or that it is, or that it is unknown. */
export type Conflict =
  | { readonly kind: "impossible"; readonly causes: readonly Cause[]; readonly isMinimal: boolean }
  /** Next to the installed operators, these bundles make it possible. */
  | { readonly kind: "possible"; readonly nodes: readonly Candidate[] }
  | { readonly kind: "undecided" };

/** Number of rounds of adding causes, before and after everything required is assumed. */
const FIRST_STEPS = 4;
const LAST_STEPS = 100_000;

/**
 * Finds why the goal of a whyNot is not possible; the search can be continued. First the goal alone; then next to
 * what is requested; only then next to what the answer prefers.
 */
export function findConflict(search: ConflictSearch, { goal, requests, preferred }: WhyNot, work: Work): Conflict {
  const stages = preferred.length === 0 ? [goal, requests] : [goal, requests, preferred];
  let found: Finding = { kind: "undecided" };
  for (const [index, rules] of stages.entries()) {
    search.require(rules);
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
    // A cause that was kept only because the budget ran out may have no needed part.
    return own.length === 0 ? [] : [causeOf(own)];
  });
  return { kind: "impossible", causes, isMinimal: few.isMinimal };
}

/** The same causes, with a switch for each version in them. */
function partedClauses(parts: RuleInstances, entries: readonly Entry[]): SwitchedClauses {
  const keys = new Set(entries.map(({ key }) => key));
  const switched: SwitchedClauses = new SwitchedClauses(parts, true, (node) =>
    switched.add(parts.of(node).filter(({ key }) => keys.has(key))),
  );
  for (const { parts: known } of entries) switched.add(known.map(({ part }) => part));
  return switched;
}
