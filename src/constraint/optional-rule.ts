// What would an operator like to have?

import type { Place } from "../model/place.ts";
import type { Requirement } from "./constraint.ts";
import { type Rule, rule } from "./rule.ts";
import { besideText, sentence, withMessages } from "./sentence.ts";

/**
 * A wish (seed 000, `optional: true`): it forbids nothing. A variable tells whether it is fulfilled, and the more of them
 * the better: `¬fulfilled ∨ ¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
 */
export function optionalRule(subject: string, { constraint, action }: Requirement, place?: Place): Rule {
  const [unwanted] = action === "conflict" && "constraints" in constraint ? constraint.constraints : [];
  const wish = unwanted === undefined ? `like ${sentence(constraint)}` : `rather not run ${besideText([unwanted])}`;
  const text = `${subject} would ${wish}`;
  return rule("optional", subject, withMessages(text, constraint, `${subject}'s author`), place);
}
