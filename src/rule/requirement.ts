// Which rule does a requirement of an operator make?

import type { Requirement } from "../constraint/constraint.ts";
import type { Place } from "../model/place.ts";
import { celConstraintRule } from "./cel-constraint.ts";
import { compoundRule } from "./compound.ts";
import { conflictRule } from "./conflict.ts";
import { dependencyRule } from "./dependency.ts";
import { optionalRule } from "./optional.ts";
import { propertyEqualsRule } from "./property-equals.ts";
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
