// What was said about a member, and would a higher limit perhaps say otherwise?

import type { MatchError } from "../constraint/predicate.ts";

/** Does it match; or why nobody can say. */
export type Verdict = boolean | MatchError;

/** Was the evaluation stopped at a limit? */
export function isLimit(verdict: Verdict): boolean {
  return typeof verdict !== "boolean" && verdict.limit;
}
