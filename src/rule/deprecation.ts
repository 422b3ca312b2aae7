// Can a deprecated bundle be newly chosen?

import type { UnaryRule } from "./shape/unary-rule.ts";

/** It is marked `olm.deprecated`. */
export interface DeprecationDetail {
  readonly rule: "deprecation";
}

/** A bundle that is `olm.deprecated` is not newly chosen; an installed one may stay (OLM): `¬bundle`. */
export const deprecation: UnaryRule = {
  name: "deprecation",
  bindsRunning: false,
  refusal: ({ facts }) => (facts.deprecated ? { detail: { rule: "deprecation" } } : undefined),
};
