// Which of the causes are needed, and which of their versions matter? Each is switched off in turn: if the rest is
// still unsatisfiable, it is not needed.

import type { Budget } from "../../sat/solver.ts";
import type { Entry, PartEntry, SwitchedClauses } from "./switched-clauses.ts";

/** Number of times a core is trimmed by solving for a core of the core. */
const MAX_TRIMS = 4;

/** Number of versions tried for removal from their causes. */
const MAX_PARTS = 150;

/** The unsat core: the causes that already rule it out. */
export function coreOf(
  switched: SwitchedClauses,
  entries: readonly Entry[],
  budget: Budget,
): readonly Entry[] | "possible" | "undecided" {
  const assumptions = entries.map(({ literal }) => literal);
  const verdict = switched.solver.solve({ assumptions, budget });
  if (verdict.kind === "satisfiable") return "possible";
  if (verdict.kind === "undecided") return "undecided";
  const core = new Set(verdict.core);
  return entries.filter(({ literal }) => core.has(literal));
}

/** A small set of causes that rule it out. */
export interface Few {
  readonly entries: readonly Entry[];
  /** None can be left out; false if that is unknown for some. */
  readonly isMinimal: boolean;
}

/**
 * An irreducible set of causes; requests are tried last, so that they stay. Undefined if no contradiction was found.
 */
export function fewest(switched: SwitchedClauses, entries: readonly Entry[], budget: () => Budget): Few | undefined {
  let left = entries;
  for (let trim = 0; trim < MAX_TRIMS; trim++) {
    const core = coreOf(switched, left, budget());
    if (typeof core === "string") return undefined;
    if (core.length === left.length) break;
    left = core;
  }
  const needed: Entry[] = [];
  let isMinimal = true;
  let open = left.toSorted((a, b) => orderOf(a) - orderOf(b));
  for (;;) {
    const [next, ...rest] = open;
    if (next === undefined) return { entries: needed, isMinimal };
    const core = isGoal(next) ? "possible" : coreOf(switched, [...needed, ...rest], budget());
    if (typeof core === "string") {
      isMinimal &&= core === "possible";
      needed.push(next);
      open = rest;
    } else {
      const kept = new Set(core);
      open = rest.filter((entry) => kept.has(entry));
    }
  }
}

function isGoal({ parts: [first] }: Entry): boolean {
  return first?.part.kind === "whole" && first.part.cause.kind === "wanted" && first.part.cause.why === "goal";
}

/** Is it about changes of CRDs? */
export function isOfCrd({ parts: [first] }: Entry): boolean {
  return first?.part.kind === "refusal" && first.part.refused.refusal.detail.rule === "crd-upgrade";
}

/** Preferences of the answer first, then rules, then findings about CRDs, then requests. */
function orderOf(entry: Entry): number {
  const part = entry.parts[0]?.part;
  if (part === undefined || isOfCrd(entry)) return 2;
  if (part.kind !== "whole") return part.isRepair ? 0 : 1;
  if (part.cause.kind !== "wanted") return 1;
  return { best: 0, update: 0, request: 3, goal: 4 }[part.cause.why];
}

/** For each cause the parts that are needed. The rest still rules out the goal, and no cause can be left out. */
export function neededParts(
  switched: SwitchedClauses,
  entries: readonly Entry[],
  budget: () => Budget,
): readonly (readonly PartEntry[])[] {
  const whole = entries.filter(({ parts }) => parts.length === 0).map(({ literal }) => literal);
  let left = entries.flatMap(({ parts }) => parts);
  const forbid = (parts: readonly PartEntry[]): readonly PartEntry[] | undefined => {
    // The next part to leave out is assumed last: the solver keeps what it derived from earlier assumptions.
    const assumptions = [...whole, ...parts.map(({ literal }) => literal).reverse()];
    const verdict = switched.solver.solve({ assumptions, budget: budget() });
    if (verdict.kind !== "unsatisfiable") return undefined;
    const core = new Set(verdict.core);
    return parts.filter(({ literal }) => core.has(literal));
  };
  for (let trim = 0; trim < MAX_TRIMS; trim++) {
    const core = forbid(left);
    if (core === undefined || core.length === left.length) break;
    left = [...core];
  }
  for (const part of left.slice(0, MAX_PARTS)) {
    if (!left.includes(part)) continue;
    const core = forbid(left.filter((other) => other !== part));
    if (core !== undefined) left = [...core];
  }
  const needed = new Set(left);
  return entries.map(({ parts }) => parts.filter((part) => needed.has(part)));
}
