// May a bundle be newly chosen on this cluster, as its administrator wants it?

import type { Constraint, RuntimeConstraint } from "../constraint/constraint.ts";
import { outlineOf } from "../constraint/outline.ts";
import { type MatchError, matches } from "../constraint/predicate.ts";
import type { Property } from "../model/catalog.ts";
import type { Place } from "../model/place.ts";
import { operatorText, quoted, ruleOf, saying } from "../render/sentence/constraint.ts";
import { rangeOutline } from "../semver/blang-range.ts";
import { type Rule, rule } from "./rule.ts";

/** What to ask whether a bundle matches; whoever remembers answers has a faster way. */
export type Match = (constraint: Constraint, properties: readonly Property[]) => boolean | MatchError;

const constraints = new WeakMap<Rule, RuntimeConstraint>();

/** The administrator's constraint that a rule speaks of; nothing for other rules. */
export function constraintOf(rule: Rule): RuntimeConstraint | undefined {
  return constraints.get(rule);
}

/**
 * Everything that is newly installed or updated to meets the administrator's constraints (seed 001): `¬bundle` for each
 * bundle that does not. If that cannot be evaluated, it does not, whatever the action.
 */
export function runtimeConstraintRule(
  subject: string,
  properties: readonly Property[],
  demanded: RuntimeConstraint,
  place?: Place,
  match: Match = matches,
): Rule | undefined {
  const { constraint, action } = demanded;
  const result = match(constraint, properties);
  if (result === (action === "require")) return undefined;
  const refused = rule("runtime-constraint", subject, refusalText(subject, demanded, result), place);
  constraints.set(refused, demanded);
  return refused;
}

function refusalText(subject: string, { constraint, action }: RuntimeConstraint, result: boolean | MatchError): string {
  const { kind, message } = constraint;
  if (action === "conflict" && kind === "package" && result === true) {
    if (message !== undefined) return `the administrator forbids ${subject}: ${quoted(message)}`;
    if (rangeOutline(constraint.range).only !== undefined) return `the administrator forbids ${subject}`;
  }
  return `${faultText(subject, { constraint, action }, result)}${remarksOn(constraint)}`;
}

function faultText(subject: string, { constraint, action }: RuntimeConstraint, result: boolean | MatchError): string {
  const isRule = ruleOf(outlineOf(constraint)) !== undefined;
  const demand = action === "require" ? "requires" : "forbids";
  const whom = isRule ? "an operator that meets a rule" : operatorText(outlineOf(constraint));
  if (typeof result !== "boolean")
    return `the administrator ${demand} ${whom}, and of ${subject} that cannot be told: ${result.message}`;
  if (isRule)
    return action === "require"
      ? `${subject} does not meet a rule of the administrator`
      : `the administrator forbids ${subject} by a rule`;
  return `the administrator ${demand} ${whom}, and ${subject} is ${result ? "such an operator" : "no such operator"}`;
}

/** What is added to a refusal: the administrator's words, and the rule where it is not said in plain ones. */
export function remarksOn(constraint: Constraint): string {
  const rule = ruleOf(outlineOf(constraint));
  const said = [saying(outlineOf(constraint), "the administrator"), rule === undefined ? undefined : `rule ${rule}`];
  const remarks = said.filter((one) => one !== undefined).join("; ");
  return remarks === "" ? "" : ` (${remarks})`;
}

/** While the administrator's constraints cannot be read, nothing is newly chosen (seed 001, fail closed): `¬bundle`. */
export function unreadableRuntimeRule(subject: string, place?: Place): Rule {
  const text = `${subject} cannot be newly chosen while the administrator's constraints cannot be read`;
  return rule("runtime-constraint", subject, text, place);
}
