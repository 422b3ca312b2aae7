// Which rules are there, and what does one say about an operator? Plain data; the words are in render/sentence/.

import type { OperatorRef } from "../model/operator-ref.ts";
import type { Place } from "../model/place.ts";
import type { CrdUpgradeDetail } from "./crd-upgrade.ts";
import type { DeprecationDetail } from "./deprecation.ts";
import type { FeatureGateDetail } from "./feature-gate.ts";
import type { InstallModeDetail } from "./install-mode.ts";
import type { MalformedConstraintDetail } from "./malformed-constraint.ts";
import type { OneBundleDetail } from "./one-bundle.ts";
import type { OneProviderDetail } from "./one-provider.ts";
import type { PlatformVersionDetail } from "./platform-version.ts";
import type { RequirementDetail, RequirementName } from "./requirement.ts";
import type { RuntimeConstraintDetail } from "./runtime-constraint.ts";
import type { SubscriptionDetail } from "./subscription.ts";

/** The kinds of rules, each in a module of its name. */
export type RuleName =
  | "subscription"
  | "upgrade-edge"
  | "held-operator"
  | RequirementName
  | "one-bundle"
  | "one-provider"
  | "deprecation"
  | "malformed-constraint"
  | "feature-gate"
  | "runtime-constraint"
  | "platform-version"
  | "install-mode"
  | "crd-upgrade";

/** What a rule says of an operator. */
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

/** A rule that an operator does not keep, and where it is written, if it is written anywhere. */
export interface Refusal {
  readonly detail: Detail;
  readonly place?: Place | undefined;
}

/** A rule that is broken, and by which operator. */
export interface BrokenRule extends Refusal {
  /** Nothing where several break it together; one of another namespace has that. */
  readonly operator?: OperatorRef | undefined;
}

/** What tells broken rules apart. */
export function brokenKey({ detail, operator }: BrokenRule): string {
  return JSON.stringify([detail, operator?.namespace, operator?.name]);
}
