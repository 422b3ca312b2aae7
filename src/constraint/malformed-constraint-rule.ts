// May a bundle be chosen whose demands nobody understands?

import { characterOf, inside, keyOf, type Place } from "../model/place.ts";
import type { ConstraintProblem, Requirements } from "./constraint.ts";
import { type Rule, rule } from "./rule.ts";

/** So many mistakes stand in one sentence. */
const MOST_MISTAKES = 10;

/** A bundle with a constraint that cannot be read is not newly chosen; all others go on (seed 003): `¬bundle`. */
export function malformedConstraintRule(
  subject: string,
  { problems }: Pick<Requirements, "problems">,
  placeOfBundle?: Place,
): Rule | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  const mistakes = problems
    .slice(0, MOST_MISTAKES)
    .map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
  const more = problems.length - mistakes.length;
  const rest = more === 0 ? "" : `; and ${more} more, which \`plimsoll lint\` lists`;
  const text = `${subject} has a constraint that cannot be read: ${mistakes.join("; ")}${rest}`;
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
