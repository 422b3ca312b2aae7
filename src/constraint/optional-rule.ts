// What would an operator like to have?

import type { Place } from "../model/place.ts";
import type { Requirement } from "./constraint.ts";
import { type Rule, rule } from "./rule.ts";
import { sentence, withMessages } from "./sentence.ts";

/**
 * A wish (seed 000, `optional: true`): it forbids nothing. A variable tells whether it is fulfilled, and the more of them
 * the better: `¬fulfilled ∨ ¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
 */
export function optionalRule(subject: string, { constraint, action }: Requirement, place?: Place): Rule {
  const [unwanted] = action === "conflict" && "constraints" in constraint ? constraint.constraints : [];
  const wish = unwanted === undefined ? `with ${sentence(constraint)}` : `without ${sentence(unwanted)}`;
  return rule("optional", subject, withMessages(`${subject} would rather run ${wish}`, constraint), place);
}
