// Which property must somebody have?

import type { PropertyEqualsConstraint } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import type { Place } from "../model/place.ts";
import { sentence, withMessages } from "../render/sentence/constraint.ts";
import { type Rule, rule } from "./rule.ts";

/** Somebody who runs has a property with a value (seed 000): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. */
export function propertyEqualsRule(subject: string, constraint: PropertyEqualsConstraint, place?: Place): Rule {
  const text = `${subject} requires ${sentence(outlineOf(constraint))}`;
  return rule("property-equals", subject, withMessages(text, outlineOf(constraint), `${subject}'s author`), place);
}
