// How are sequences optimised lexicographically? Every position has options in order of preference, and an earlier
// position has precedence over all later ones.

import { type Literal, negate } from "../sat/literal.ts";
import type { Preference } from "../sat/solver.ts";
import type { Search } from "./search.ts";

/** A position of the sequence in the best answer so far. */
export interface Position {
  /** The literals that would be better than the present one. */
  readonly better: readonly Literal[];
  /** The present literal; undefined if none of the options is true. */
  readonly taken: Literal | undefined;
}

/**
 * Settles a sequence. `position` returns the n-th position in the best answer so far (later ones may depend on
 * earlier ones), or undefined after the last. Returns whether the result is proven optimal.
 */
export function settleSequence(
  search: Search,
  position: (index: number) => Position | undefined,
  preference: Preference,
): boolean {
  const verdict = search.ask([], preference);
  if (verdict.kind === "unsatisfiable") throw new Error("what was settled before cannot hold together");
  let best = verdict.kind === "satisfiable" && verdict.preferred;
  let proven = true;
  for (let index = 0; ; index++) {
    let now = position(index);
    while (now !== undefined && !best && now.better.length > 0) {
      const improved = search.question.encoding.newLiteral();
      search.solver.addClause([negate(improved), ...now.better]);
      const answer = search.ask([improved], preference);
      // The optimum improves here, so the optimum among answers that improve here is the optimum.
      best = answer.kind === "satisfiable" && answer.preferred;
      if (answer.kind === "undecided") proven = false;
      if (answer.kind !== "satisfiable") break;
      now = position(index);
    }
    if (now === undefined) return proven;
    if (now.taken !== undefined) search.fix([now.taken]);
  }
}
