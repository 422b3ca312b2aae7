// How many of these literals can be true at once? An objective that maximises a count.

import type { Literal } from "../sat/literal.ts";
import { Minimiser } from "../sat/minimise.ts";
import { isTrueIn, type Preference } from "../sat/solver.ts";
import type { Search } from "./search.ts";

/** The literals to make true; more may be added during the search. */
export interface SoftLiterals {
  readonly literals: readonly Literal[];
  /** Called for each literal that is added. */
  onMore?: ((literal: Literal) => void) | undefined;
}

/** Makes as many literals true as possible and fixes that number. Returns whether it is proven to be the maximum. */
export function settleMost(search: Search, optional: SoftLiterals, preference?: Preference): boolean {
  const { literals } = optional;
  if (literals.every((literal) => search.has(literal))) {
    search.fix(literals);
    return true;
  }
  const minimiser = new Minimiser(search.solver, () => search.fixed, undefined);
  for (const literal of literals) minimiser.addSoft(literal);
  optional.onMore = (literal) => minimiser.addSoft(literal);
  const { model } = search.solver;
  const isOptimal =
    minimiser.isBest(model) || search.spend((budget) => minimiser.run(budget, preference)).kind === "optimal";
  optional.onMore = undefined;
  if (isOptimal) {
    search.fix(minimiser.frozen());
    return true;
  }
  const count = (one: Uint8Array): number => literals.filter((literal) => isTrueIn(one, literal)).length;
  if (count(search.solver.model) < count(model)) search.solver.model = model;
  search.fix(optional.literals.filter((literal) => search.has(literal)));
  return false;
}
