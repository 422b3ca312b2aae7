// What does an operator require of others? Six rules, one for each form; all of them are the same clause over the
// matching members: `¬member ∨ holds(constraint)`.

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

/** A rule about the requirements of an operator. */
export interface RequirementRule {
  readonly name: RequirementName;
  /** Is a requirement of this form? */
  readonly isOf: (requirement: Requirement) => boolean;
}

/** In order: optional before the form of its constraint, conflict before the form of what it excludes. */
const RULES = [optional, conflict, dependency, celConstraint, propertyEquals];

/** A requirement, as an answer holds it. */
export interface RequirementDetail {
  readonly rule: RequirementName;
  readonly constraint: Outline;
  /** The action as written; a `conflict` has become a `none` around its constraint. */
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
