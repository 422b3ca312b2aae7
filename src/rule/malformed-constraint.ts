// May a bundle be chosen whose demands nobody understands?

import type { Requirements } from "../constraint/constraint.ts";
import { problemPlace } from "../constraint/problem-place.ts";
import type { Place } from "../model/place.ts";
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
