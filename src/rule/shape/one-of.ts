// One of these has to be there. The shape of what requests ask for.

import type { Clauses, Guards } from "./clauses.ts";

/** `member₁ ∨ member₂ ∨ …`. */
export function oneOf<Member>(to: Clauses<Member>, guards: Guards, members: readonly Member[]): void {
  to.longClause([...guards, ...members.map((member) => to.there(member))]);
}
