// May a bundle be newly chosen on this cluster, as its administrator wants it?

import type { Property } from "../model/catalog.ts";
import type { Place } from "../model/place.ts";
import type { Constraint, RuntimeConstraint } from "./constraint.ts";
import { type MatchError, matches } from "./predicate.ts";
import { type Rule, rule } from "./rule.ts";
import { sentence, withMessages } from "./sentence.ts";

/** What to ask whether a bundle matches; whoever remembers answers has a faster way. */
export type Match = (constraint: Constraint, properties: readonly Property[]) => boolean | MatchError;

/**
 * Everything that is newly installed or updated to meets the administrator's constraints (seed 001): `¬bundle` for each
 * bundle that does not. If that cannot be evaluated, it does not, whatever the action.
 */
export function runtimeConstraintRule(
  subject: string,
  properties: readonly Property[],
  { constraint, action }: RuntimeConstraint,
  place?: Place,
  match: Match = matches,
): Rule | undefined {
  const result = match(constraint, properties);
  if (result === (action === "require")) return undefined;
  const demand = action === "require" ? "requires" : "forbids";
  const fault =
    typeof result === "boolean"
      ? `${subject} is ${result ? "such an operator" : "no such operator"}`
      : `of ${subject} that cannot be told: ${result.message}`;
  const text = `the administrator ${demand} ${sentence(constraint)}, and ${fault}`;
  return rule("runtime-constraint", subject, withMessages(text, constraint, "administrator"), place);
}

/** While the administrator's constraints cannot be read, nothing is newly chosen (seed 001, fail closed): `¬bundle`. */
export function unreadableRuntimeRule(subject: string, place?: Place): Rule {
  const text = `${subject} cannot be newly chosen while the administrator's constraints cannot be read`;
  return rule("runtime-constraint", subject, text, place);
}
