// Which answer comes first, when sequences are compared? Levels at which every position has options in an order of
// preference, and an earlier position counts for more than all later ones together.

import { type Literal, negate } from "../sat/literal.ts";
import type { Preference } from "../sat/solver.ts";
import type { Search } from "./search.ts";

/** A position of the sequence in the best answer so far. */
export interface Position {
  /** The literals that would be better than what the answer has. */
  readonly better: readonly Literal[];
  /** What the answer has; nothing if it has none of the options. */
  readonly taken: Literal | undefined;
}

/**
 * Settles a sequence. `position` gives the n-th position in the best answer so far (later ones may depend on earlier
 * ones), or nothing after the last. Says whether it is proven that no answer is better.
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
      // The best of all improves here, so the best of those that do is the best of all.
      best = answer.kind === "satisfiable" && answer.preferred;
      if (answer.kind === "undecided") proven = false;
      if (answer.kind !== "satisfiable") break;
      now = position(index);
    }
    if (now === undefined) return proven;
    if (now.taken !== undefined) search.fix([now.taken]);
  }
}
