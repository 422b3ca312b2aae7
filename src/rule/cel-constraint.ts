// Which CEL rule must be true of somebody?

import type { CelConstraint } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import type { Place } from "../model/place.ts";
import { sentence, withMessages } from "../render/sentence/constraint.ts";
import { type Rule, rule } from "./rule.ts";

/** A CEL rule is true of the properties of somebody who runs (seed 000; OLM): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. */
export function celConstraintRule(subject: string, constraint: CelConstraint, place?: Place): Rule {
  const text = `${subject} requires ${sentence(outlineOf(constraint))}`;
  return rule("cel-constraint", subject, withMessages(text, outlineOf(constraint), `${subject}'s author`), place);
}
