// How do two sides exclude each other? No member of one side runs next to a member of the other. The shape of custom
// kinds that are required and no longer served.

import { negate } from "../../sat/literal.ts";
import type { Clauses, Guards } from "./clauses.ts";
import type { Excludes } from "./excludes.ts";

/** `¬one ∨ ¬other`. */
export function apart<Member>(to: Clauses<Member>, guards: Guards, one: Member, other: Member): void {
  to.clause(...guards, negate(to.there(one)), negate(to.there(other)));
}

/** Each side excludes the other; members of one side do not exclude each other. */
export function otherSide(one: ReadonlySet<number>, other: ReadonlySet<number>): Excludes {
  return (present) => {
    if (present.every((member) => one.has(member))) return [...other];
    return present.every((member) => other.has(member)) ? [...one] : [];
  };
}
