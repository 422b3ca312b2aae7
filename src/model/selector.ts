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
