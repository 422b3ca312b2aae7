// Whom can an operator not run beside?

import type { Place } from "../model/place.ts";
import type { Constraint } from "./constraint.ts";
import { type Rule, rule } from "./rule.ts";
import { besideText, withMessages } from "./sentence.ts";

/**
 * The action `conflict` (seed 000): nobody else satisfies the constraint: `¬bundle ∨ ¬other` for each other member that
 * does. It is given as it is read, a `none` around what must not be.
 */
export function conflictRule(subject: string, constraint: Constraint, place?: Place): Rule {
  const unwanted = "constraints" in constraint ? (constraint.constraints[0] ?? constraint) : constraint;
  const text = `${subject} cannot run ${besideText([unwanted])}`;
  return rule("conflict", subject, withMessages(text, constraint, `${subject}'s author`), place);
}
