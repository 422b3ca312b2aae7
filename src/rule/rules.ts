// Which rules are there, and what do they state about an operator? The table that answers, explanations and plans
// interpret. A statement is plain data; the words are in render/sentence/.

import type { OperatorRef } from "../model/operator-ref.ts";
import type { Place } from "../model/place.ts";
import { type CrdUpgradeDetail, crdUpgrade } from "./crd-upgrade.ts";
import { type DeprecationDetail, deprecation } from "./deprecation.ts";
import { type FeatureGateDetail, featureGate } from "./feature-gate.ts";
import { type InstallModeDetail, installMode } from "./install-mode.ts";
import { type MalformedConstraintDetail, malformedConstraint } from "./malformed-constraint.ts";
import { type OneBundleDetail, oneBundle } from "./one-bundle.ts";
import { type OneProviderDetail, oneProvider, rivalElsewhere } from "./one-provider.ts";
import { kubernetesVersion, openShiftVersion, type PlatformVersionDetail } from "./platform-version.ts";
import type { RequirementDetail } from "./requirement.ts";
import { type RuntimeConstraintDetail, readableRuntime, runtimeConstraint } from "./runtime-constraint.ts";
import type { GroupRule } from "./shape/at-most-one.ts";
import type { UnaryRule } from "./shape/unary-rule.ts";
import { removedPackage, type SubscriptionDetail } from "./subscription.ts";

/** The name of a rule: that of its module. */
export type RuleName = Detail["rule"] | "upgrade-edge" | "held-operator";

/** What a rule states about an operator. */
export type Detail =
  | SubscriptionDetail
  | RequirementDetail
  | OneBundleDetail
  | OneProviderDetail
  | DeprecationDetail
  | MalformedConstraintDetail
  | FeatureGateDetail
  | RuntimeConstraintDetail
  | PlatformVersionDetail
  | InstallModeDetail
  | CrdUpgradeDetail;

/** A violated rule, and where it is declared, if anywhere. */
export interface Refusal {
  readonly detail: Detail;
  readonly place?: Place | undefined;
}

/** A broken rule, and by which operator. */
export interface BrokenRule extends Refusal {
  /** Undefined if several break it together; one of another namespace has its namespace. */
  readonly operator?: OperatorRef | undefined;
}

/** The identity of a broken rule. */
export function brokenKey({ detail, operator }: BrokenRule): string {
  return JSON.stringify([detail, operator?.namespace, operator?.name]);
}

/** About a single operator, in order of evaluation: the first that refuses it is the reason. */
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
