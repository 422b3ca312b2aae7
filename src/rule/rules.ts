// Which rules are there? The table that answers, explanations and plans interpret, by what rules are about.

import { crdUpgrade } from "./crd-upgrade.ts";
import { deprecation } from "./deprecation.ts";
import { featureGate } from "./feature-gate.ts";
import { installMode } from "./install-mode.ts";
import { malformedConstraint } from "./malformed-constraint.ts";
import { oneBundle } from "./one-bundle.ts";
import { oneProvider, rivalElsewhere } from "./one-provider.ts";
import { kubernetesVersion, openShiftVersion } from "./platform-version.ts";
import { readableRuntime, runtimeConstraint } from "./runtime-constraint.ts";
import type { GroupRule } from "./shape/at-most-one.ts";
import { removedPackage } from "./subscription.ts";
import type { UnaryRule } from "./unary-rule.ts";

/** About one operator alone, in the order in which they are asked: the first that refuses it is the reason. */
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

/** About several operators of which one may run. */
export const GROUP_RULES: readonly GroupRule[] = [oneBundle, oneProvider];
