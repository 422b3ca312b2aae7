// Which requests can be satisfied together? Usually all; otherwise as many as possible, and among equally large sets
// those that come first.

import { negate } from "../sat/literal.ts";
import { settleMost } from "./counting-objective.ts";
import { frugalPreference, keepingPreference } from "./preference.ts";
import type { Wanted } from "./question.ts";
import type { Search } from "./search.ts";

/** The share of the budget for the first question: any answer is worth more than a proof about one. */
const FIRST_SHARE = 0.8;

/** The result of the first objective. */
export interface SettledSubscriptions {
  readonly satisfied: readonly Wanted[];
  readonly undecided: ReadonlySet<Wanted>;
  readonly isProven: boolean;
  /** The model is the best one in the order of candidates. */
  readonly isPreferred: boolean;
  /** Not even the present state satisfies the rules. */
  readonly isImpossible: boolean;
}

const IMPOSSIBLE: SettledSubscriptions = {
  satisfied: [],
  undecided: new Set(),
  isProven: true,
  isPreferred: false,
  isImpossible: true,
};

/** Settles which requests are satisfied. Without a model there is no answer at all. */
export function settleSubscriptions(search: Search): SettledSubscriptions {
  const { wanted } = search.question;
  const all = wanted.map(({ satisfied }) => satisfied);
  const verdict = search.ask(all, frugalPreference(search.question, wanted), FIRST_SHARE);
  if (verdict.kind === "satisfiable") {
    search.fix(all);
    const { preferred: isPreferred } = verdict;
    return { satisfied: wanted, undecided: new Set(), isProven: true, isPreferred, isImpossible: false };
  }
  if (verdict.kind === "undecided") return oneByOne(search);
  // Without requests nothing needs to change; with OLM's reading of the rules even that may be impossible.
  const present = search.ask([], keepingPreference(search.question));
  if (present.kind === "unsatisfiable") return IMPOSSIBLE;
  if (present.kind === "undecided" || !settleMost(search, { literals: all }, frugalPreference(search.question, wanted)))
    return oneByOne(search);
  return firstOnes(search);
}

/** The first of the largest satisfiable sets of requests. */
function firstOnes(search: Search): SettledSubscriptions {
  const satisfied: Wanted[] = [];
  const undecided = new Set<Wanted>();
  for (const wanted of search.question.wanted) {
    const verdict = search.has(wanted.satisfied) ? undefined : search.ask([wanted.satisfied]);
    if (verdict?.kind === "undecided") undecided.add(wanted);
    if (search.has(wanted.satisfied)) {
      satisfied.push(wanted);
      search.fix([wanted.satisfied]);
    } else search.fix([negate(wanted.satisfied)]);
  }
  return { satisfied, undecided, isProven: undecided.size === 0, isPreferred: false, isImpossible: false };
}

/** If all at once are too hard: one after the other, as far as the budget allows. */
function oneByOne(search: Search): SettledSubscriptions {
  const satisfied: Wanted[] = [];
  const undecided = new Set<Wanted>();
  const { wanted: all } = search.question;
  for (const [index, wanted] of all.entries()) {
    const preference = frugalPreference(search.question, [...satisfied, wanted]);
    const verdict = search.ask([wanted.satisfied], preference, 1 / (all.length - index + 1));
    if (verdict.kind === "satisfiable") {
      satisfied.push(wanted);
      search.fix([wanted.satisfied]);
    } else undecided.add(wanted);
  }
  if (!search.hasModel && search.ask([], keepingPreference(search.question)).kind === "unsatisfiable")
    return IMPOSSIBLE;
  return { satisfied, undecided, isProven: false, isPreferred: false, isImpossible: false };
}
