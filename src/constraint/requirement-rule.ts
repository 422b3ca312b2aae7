// Which rule does a requirement of an operator make?

import type { Place } from "../model/place.ts";
import { celConstraintRule } from "./cel-constraint-rule.ts";
import { compoundRule } from "./compound-rule.ts";
import { conflictRule } from "./conflict-rule.ts";
import type { Requirement } from "./constraint.ts";
import { dependencyRule } from "./dependency-rule.ts";
import { optionalRule } from "./optional-rule.ts";
import { propertyEqualsRule } from "./property-equals-rule.ts";
import type { Rule } from "./rule.ts";

/** The rule that a requirement of an operator makes. */
export function requirementRule(subject: string, requirement: Requirement, place?: Place): Rule {
  const { constraint, action, optional } = requirement;
  if (optional) return optionalRule(subject, requirement, place);
  if (action === "conflict") return conflictRule(subject, constraint, place);
  switch (constraint.kind) {
    case "gvk":
    case "package":
    case "label":
      return dependencyRule(subject, constraint, place);
    case "cel":
      return celConstraintRule(subject, constraint, place);
    case "propertyEquals":
      return propertyEqualsRule(subject, constraint, place);
    default:
      return compoundRule(subject, constraint, place);
  }
}
