// How is a member excluded on its own? The shape of rules about a single operator.

import { negate } from "../../sat/literal.ts";
import type { Clauses, Guards } from "./clauses.ts";

/** `¬member`. */
export function refused<Member>(to: Clauses<Member>, guards: Guards, member: Member): void {
  to.clause(...guards, negate(to.there(member)));
}
