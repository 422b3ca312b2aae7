// What would an operator like to have?

import type { Requirement } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import type { Place } from "../model/place.ts";
import { besideText, sentence, withMessages } from "../render/sentence/constraint.ts";
import { type Rule, rule } from "./rule.ts";

/**
 * A wish (seed 000, `optional: true`): it forbids nothing. A variable tells whether it is fulfilled, and the more of them
 * the better: `¬fulfilled ∨ ¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
 */
export function optionalRule(subject: string, { constraint, action }: Requirement, place?: Place): Rule {
  const [unwanted] = action === "conflict" && "constraints" in constraint ? constraint.constraints : [];
  const wish =
    unwanted === undefined
      ? `like ${sentence(outlineOf(constraint))}`
      : `rather not run ${besideText([outlineOf(unwanted)])}`;
  const text = `${subject} would ${wish}`;
  return rule("optional", subject, withMessages(text, outlineOf(constraint), `${subject}'s author`), place);
}
