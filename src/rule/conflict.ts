// Whom can an operator not run beside?

import type { Constraint } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import type { Place } from "../model/place.ts";
import { besideText, withMessages } from "../render/sentence/constraint.ts";
import { type Rule, rule } from "./rule.ts";

/**
 * The action `conflict` (seed 000): nobody else satisfies the constraint: `¬bundle ∨ ¬other` for each other member that
 * does. It is given as it is read, a `none` around what must not be.
 */
export function conflictRule(subject: string, constraint: Constraint, place?: Place): Rule {
  const unwanted = "constraints" in constraint ? (constraint.constraints[0] ?? constraint) : constraint;
  const text = `${subject} cannot run ${besideText([outlineOf(unwanted)])}`;
  return rule("conflict", subject, withMessages(text, outlineOf(constraint), `${subject}'s author`), place);
}
