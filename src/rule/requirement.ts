// What does an operator demand of others? Six rules, one for each way to say it; all of them are the same clause over
// whoever matches: `¬member ∨ holds(constraint)`.

import type { Requirement } from "../constraint/constraint.ts";
import { type Outline, outlineOf } from "../constraint/outline.ts";
import { celConstraint } from "./cel-constraint.ts";
import { compound } from "./compound.ts";
import { conflict } from "./conflict.ts";
import { dependency } from "./dependency.ts";
import { optional } from "./optional.ts";
import { propertyEquals } from "./property-equals.ts";

/** The names of these rules. */
export type RequirementName =
  | "dependency"
  | "compound"
  | "cel-constraint"
  | "property-equals"
  | "conflict"
  | "optional";

/** A rule about what an operator demands. */
export interface RequirementRule {
  readonly name: RequirementName;
  /** Does a requirement say this? */
  readonly isOf: (requirement: Requirement) => boolean;
}

/** A wish comes before what is wished, and that something must not be before what. */
const RULES = [optional, conflict, dependency, celConstraint, propertyEquals];

/** A demand, as an answer carries it. */
export interface RequirementDetail {
  readonly rule: RequirementName;
  readonly constraint: Outline;
  /** How it was written; a `conflict` has become a `none` around what must not be. */
  readonly action: Requirement["action"];
}

/** The rule that a requirement makes. */
export function requirementDetail(requirement: Requirement): RequirementDetail {
  const { constraint, action } = requirement;
  return { rule: requirementName(requirement), constraint: outlineOf(constraint), action };
}

/** The name of the rule that a requirement makes. */
export function requirementName(requirement: Requirement): RequirementName {
  return (RULES.find((rule) => rule.isOf(requirement)) ?? compound).name;
}
