// Which CEL rule must be true of somebody?

import type { Place } from "../model/place.ts";
import type { CelConstraint } from "./constraint.ts";
import { type Rule, rule } from "./rule.ts";
import { sentence, withMessages } from "./sentence.ts";

/** A CEL rule is true of the properties of somebody who runs (seed 000; OLM): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. */
export function celConstraintRule(subject: string, constraint: CelConstraint, place?: Place): Rule {
  const text = `${subject} requires ${sentence(constraint)}`;
  return rule("cel-constraint", subject, withMessages(text, constraint, `${subject}'s author`), place);
}
