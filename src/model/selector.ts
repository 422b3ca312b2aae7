// Which labels (or claims) does a rule select? Kubernetes' label selector, as written: its users validate it.

import type { TextMap } from "./labels.ts";

/** One line of `matchExpressions`. The operator is any text; In, NotIn, Exists and DoesNotExist have a meaning. */
export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** All labels and all requirements must match; an empty selector matches everything. */
export interface LabelSelector {
  readonly matchLabels: TextMap;
  readonly matchExpressions: readonly SelectorRequirement[];
}

/** The operators of Kubernetes. */
export type SelectorOperator = "In" | "NotIn" | "Exists" | "DoesNotExist";

export const SELECTOR_OPERATORS: readonly SelectorOperator[] = ["In", "NotIn", "Exists", "DoesNotExist"];

/** A valid requirement, ready for evaluation. */
export interface ReadRequirement {
  readonly operator: SelectorOperator;
  readonly values: ReadonlySet<string>;
}

/** Does the requirement hold for the value under its key? What is missing is not in any list of values. */
export function holds({ operator, values }: ReadRequirement, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.has(value);
    case "NotIn":
      return value === undefined || !values.has(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
  }
}

export const REQUIREMENT_FAULTS = ["no-key", "unknown-operator", "needs-values", "has-values"] as const;

/** Why a requirement is invalid: it has no key, or its operator is unknown or does not fit its values. */
export type RequirementFault = Readonly<{ kind: (typeof REQUIREMENT_FAULTS)[number]; operator: string }>;
