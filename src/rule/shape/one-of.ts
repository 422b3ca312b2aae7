// How is one of several members required? The shape of requests.

import type { Clauses, Guards } from "./clauses.ts";

/** `member₁ ∨ member₂ ∨ …`. */
export function oneOf<Member>(to: Clauses<Member>, guards: Guards, members: readonly Member[]): void {
  to.longClause([...guards, ...members.map((member) => to.there(member))]);
}
