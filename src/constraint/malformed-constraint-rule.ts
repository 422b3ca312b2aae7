// May a bundle be chosen whose demands nobody understands?

import { characterOf, inside, keyOf, type Place } from "../model/place.ts";
import type { ConstraintProblem, Requirements } from "./constraint.ts";
import { type Rule, rule } from "./rule.ts";

/** A bundle with a constraint that cannot be read is not newly chosen; all others go on (seed 003): `¬bundle`. */
export function malformedConstraintRule(
  subject: string,
  { problems }: Pick<Requirements, "problems">,
  placeOfBundle?: Place,
): Rule | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  const more = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
  const hint = first.hint === undefined ? "" : ` (${first.hint})`;
  const text = `${subject} has a constraint that cannot be read: ${first.message}${hint}${more}`;
  return rule("malformed-constraint", subject, text, placeOfBundle && problemPlace(first, placeOfBundle));
}

/** Where a problem is, in the document of the bundle whose properties have it. */
export function problemPlace({ property, path, offset, ofKey }: ConstraintProblem, ofBundle: Place): Place {
  const steps = ["properties", property, "value", ...path];
  const last = steps.at(-1);
  if (ofKey && typeof last === "string") return keyOf(inside(ofBundle, ...steps.slice(0, -1)), last);
  const place = inside(ofBundle, ...steps);
  return offset === undefined ? place : characterOf(place, offset);
}
