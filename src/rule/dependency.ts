// What does an operator depend on: an API, a package or a label?

import type { GvkConstraint, LabelConstraint, PackageConstraint } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import type { Place } from "../model/place.ts";
import { sentence, withMessages } from "../render/sentence/constraint.ts";
import { type Rule, rule } from "./rule.ts";

/** A dependency is met by somebody who runs, the operator itself included (OLM): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. */
export function dependencyRule(
  subject: string,
  constraint: GvkConstraint | PackageConstraint | LabelConstraint,
  place?: Place,
): Rule {
  const text = `${subject} requires ${sentence(outlineOf(constraint))}`;
  return rule("dependency", subject, withMessages(text, outlineOf(constraint), `${subject}'s author`), place);
}
