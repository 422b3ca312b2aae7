// What does an operator demand of several others together, or of one in several respects?

import type { CompoundConstraint } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import type { Place } from "../model/place.ts";
import { besideText, sentence, withMessages } from "../render/sentence/constraint.ts";
import { type Rule, rule } from "./rule.ts";

/**
 * A compound (seed 003; of OLM the scope `bundle`). Each child has a variable of its own, `holdsᵢ`.
 * Scope `solution`: `all` is `¬bundle ∨ holdsᵢ` for each child; `any` is `¬bundle ∨ holds₁ ∨ holds₂ ∨ …`; `none` is
 * `¬bundle ∨ ¬other` for each other member that a child would hold by.
 * Scope `bundle`: one predicate, as a leaf: `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
 */
export function compoundRule(subject: string, constraint: CompoundConstraint, place?: Place): Rule {
  const isSolution = constraint.scope === "solution";
  const demand =
    isSolution && constraint.kind === "none"
      ? `${subject} cannot run ${besideText(constraint.constraints.map(outlineOf))}`
      : `${subject} requires ${sentence(outlineOf(constraint))}`;
  return rule("compound", subject, withMessages(demand, outlineOf(constraint), `${subject}'s author`), place);
}
