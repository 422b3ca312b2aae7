// What does an operator require of others? Six rules, one for each form; all of them are the same clause over the
// matching members: `¬member ∨ holds(constraint)`.

import type { Constraint, Requirement } from "../constraint/constraint.ts";
import { type Outline, outlineOf } from "../constraint/outline.ts";

/** The names of these rules. */
export type RequirementName =
  | "dependency"
  | "compound"
  | "cel-constraint"
  | "property-equals"
  | "conflict"
  | "optional";

/** The rule of each form of a constraint. */
const RULES: Readonly<Record<Constraint["kind"], RequirementName>> = {
  // A dependency is met by any member, including the operator itself (OLM): `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
  gvk: "dependency",
  package: "dependency",
  label: "dependency",
  // A CEL rule holds for the properties of some member (seed 000; OLM): the same clause.
  cel: "cel-constraint",
  // Some member has a property with a value (seed 000): the same clause.
  propertyEquals: "property-equals",
  // A compound (seed 003; in OLM only the scope `bundle`). Each child has its own variable, `holdsᵢ`.
  // Scope `solution`: `all` is `¬bundle ∨ holdsᵢ` for each child; `any` is `¬bundle ∨ holds₁ ∨ holds₂ ∨ …`; `none` is
  // `¬bundle ∨ ¬other` for each other member that makes a child hold.
  // Scope `bundle`: one predicate, like a leaf: `¬bundle ∨ provider₁ ∨ provider₂ ∨ …`.
  all: "compound",
  any: "compound",
  none: "compound",
};

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

/**
 * The name of the rule that a requirement makes. An optional one (seed 000) excludes nothing: a variable states whether
 * it is met, and their number is maximised: `¬met ∨ ¬bundle ∨ provider₁ ∨ provider₂ ∨ …`. The action `conflict` (seed
 * 000) is read as a `none` around the constraint: no other member satisfies it, `¬bundle ∨ ¬other` for each one that does.
 */
export function requirementName({ constraint, action, optional }: Requirement): RequirementName {
  if (optional) return "optional";
  return action === "conflict" ? "conflict" : RULES[constraint.kind];
}
