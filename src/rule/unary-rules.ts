// Which rules are there about an operator alone, and in which order are they asked? The first that refuses is the reason.

import { crdUpgrade } from "./crd-upgrade.ts";
import { deprecation } from "./deprecation.ts";
import { featureGate } from "./feature-gate.ts";
import { installMode } from "./install-mode.ts";
import { malformedConstraint } from "./malformed-constraint.ts";
import { rivalElsewhere } from "./one-provider.ts";
import { kubernetesVersion, openShiftVersion } from "./platform-version.ts";
import { readableRuntime, runtimeConstraint } from "./runtime-constraint.ts";
import { removedPackage } from "./subscription.ts";
import type { UnaryRule } from "./unary-rule.ts";

/** Those that can be told at a glance come first. */
export const UNARY_RULES: readonly UnaryRule[] = [
  readableRuntime,
  removedPackage,
  deprecation,
  malformedConstraint,
  featureGate,
  kubernetesVersion,
  openShiftVersion,
  installMode,
  runtimeConstraint,
  rivalElsewhere,
  crdUpgrade,
];
