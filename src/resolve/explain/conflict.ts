// Which few causes forbid it? From a "no" of the solver to causes of which none can be left out, each with only those
// versions that matter.

import type { Budget } from "../../sat/solver.ts";
import type { Node } from "../catalog-index.ts";
import type { Cause } from "./cause.ts";
import { type Finding, type Inquiry, oneQuestion, type Work, workOf } from "./inquiry.ts";
import { type Entry, Ledger } from "./ledger.ts";
import { fewest, neededParts } from "./minimise.ts";
import { causeOf, type Parts, UNAVAILABLE, unavailableCause } from "./parts.ts";
import type { Question } from "./question.ts";

/** Why it cannot be; or that it can, or that nobody knows. */
export type Conflict =
  | { readonly kind: "impossible"; readonly causes: readonly Cause[]; readonly isMinimal: boolean }
  /** Beside what runs, these bundles make it possible. */
  | { readonly kind: "possible"; readonly nodes: readonly Node[] }
  | { readonly kind: "undecided" };

/** So often more causes are looked at while not everything is owed yet, and when it is. */
const FIRST_STEPS = 4;
const LAST_STEPS = 100_000;

/**
 * Finds out why the goal of a question cannot be; the inquiry can be asked on. Alone, if it cannot be at all; beside what
 * people asked for, if that is why; and only then beside what the answer prefers.
 */
export function findConflict(inquiry: Inquiry, { goal, requests, preferred }: Question, work: Work): Conflict {
  const stages = preferred.length === 0 ? [goal, requests] : [goal, requests, preferred];
  let found: Finding = { kind: "undecided" };
  for (const [index, wishes] of stages.entries()) {
    inquiry.wish(wishes);
    found = inquiry.ask(index === stages.length - 1 ? LAST_STEPS : FIRST_STEPS, work);
    if (found.kind === "forbidden") break;
  }
  return narrowed(inquiry.parts, found, work);
}

function narrowed(parts: Parts, found: Finding, work: Work): Conflict {
  if (found.kind !== "forbidden") return found;
  const ledger = partedLedger(parts, found.entries);
  const keys = new Set(found.entries.map(({ key }) => key));
  const all = [...ledger.entries.values()].filter(({ key }) => keys.has(key));
  const budget = (): Budget => oneQuestion({ ...work, left: work.left - workOf(ledger) });
  const few = fewest(ledger, all, budget);
  const parted = few === undefined ? [] : neededParts(ledger, few.entries, budget);
  work.left -= workOf(ledger);
  if (few === undefined) return { kind: "undecided" };
  const causes = few.entries.flatMap(({ key }, index) => {
    const own = (parted[index] ?? []).map(({ part }) => part);
    if (key === UNAVAILABLE) return [unavailableCause(parts.round)];
    // One that was only kept because the budget gave out may turn out to be needless after all.
    return own.length === 0 ? [] : [causeOf(own)];
  });
  return { kind: "impossible", causes, isMinimal: few.isMinimal };
}

/** The same causes, with a switch for each version that has a part in them. */
function partedLedger(parts: Parts, entries: readonly Entry[]): Ledger {
  const keys = new Set(entries.map(({ key }) => key));
  const ledger: Ledger = new Ledger(parts, true, (node) =>
    ledger.add(parts.of(node).filter(({ key }) => keys.has(key))),
  );
  for (const { parts: known } of entries) ledger.add(known.map(({ part }) => part));
  return ledger;
}
