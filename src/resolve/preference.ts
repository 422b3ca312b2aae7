// What is tried first? The order of decisions in which the first answer is a good one.

import type { Literal } from "../sat/literal.ts";
import type { Wanted } from "./round.ts";
import type { Search } from "./search.ts";
import { nextPreferred } from "./walk.ts";

/** A preference for the first answer that comes to mind: best candidates first, then no more operators than needed. */
export function frugalPreference(search: Search, satisfied: readonly Wanted[]): () => Literal {
  const value = (literal: Literal): -1 | 0 | 1 => search.solver.value(literal);
  return () => nextPreferred(search.round, satisfied, value, true);
}
