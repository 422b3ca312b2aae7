// Are compound constraints enabled?

import type { UnaryRule } from "./shape/unary-rule.ts";

/** It has a compound constraint, and the gate is off. */
export interface FeatureGateDetail {
  readonly rule: "feature-gate";
}

/** With the gate CompoundConstraintsV1Alpha1 off, a bundle with a compound is not newly chosen (seed 003): `¬bundle`. */
export const featureGate: UnaryRule = {
  name: "feature-gate",
  bindsRunning: true,
  refusal: ({ requirements }, { compoundConstraints }) =>
    compoundConstraints || !requirements.hasCompounds ? undefined : { detail: { rule: "feature-gate" } },
  lifts: () => [{ kind: "compound-constraints" }],
};
