// Which property must somebody have?

import type { Place } from "../model/place.ts";
import type { PropertyEqualsConstraint } from "./constraint.ts";
import { type Rule, rule } from "./rule.ts";
import { sentence, withMessages } from "./sentence.ts";

/** Somebody who runs has a property with a value (seed 000): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. */
export function propertyEqualsRule(subject: string, constraint: PropertyEqualsConstraint, place?: Place): Rule {
  const text = `${subject} requires ${sentence(constraint)}`;
  return rule("property-equals", subject, withMessages(text, constraint, `${subject}'s author`), place);
}
