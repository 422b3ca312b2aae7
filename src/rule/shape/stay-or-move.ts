// How does an operator stay or move to one of its targets? The shape of upgrade edges and holds.

import { negate } from "../../sat/literal.ts";
import type { Clauses, Excludes, Guards } from "./clauses.ts";

/** The possible changes of an operator. */
export interface StayOrMove<Member> {
  readonly installed: Member;
  readonly targets: readonly Member[];
  /** It is held, or nothing updates it. */
  readonly stays: boolean;
}

/** `kept ∨ target₁ ∨ …`, and `¬kept ∨ ¬targetᵢ`; if it stays, `kept` and `¬targetᵢ`. */
export function stayOrMove<Member>(
  to: Clauses<Member>,
  guards: Guards,
  { installed, targets, stays }: StayOrMove<Member>,
): void {
  const kept = to.there(installed);
  const moved = targets.map((target) => to.there(target));
  to.clause([...guards, kept, ...(stays ? [] : moved)]);
  for (const literal of moved) to.clause([...guards, ...(stays ? [] : [negate(kept)]), negate(literal)]);
}

/** An operator excludes its own update targets. */
export function eitherKeptOrMoved(kept: number, targets: readonly number[]): Excludes {
  return (present) => {
    if (!present.includes(kept)) return [kept];
    return present.length === 1 ? targets : [];
  };
}
