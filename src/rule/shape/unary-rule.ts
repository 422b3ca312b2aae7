// What is a rule about one operator alone? `¬bundle` for each bundle that does not keep it.

import type { BundleFacts } from "../../constraint/bundle-facts.ts";
import type { Requirements } from "../../constraint/constraint.ts";
import type { Property } from "../../model/catalog.ts";
import type { Place } from "../../model/place.ts";
import type { ClusterNode, Installed, TargetNamespaces } from "../../model/problem.ts";
import type { CrdUpgradeDetail } from "../crd-upgrade.ts";
import type { Refusal, RuleName } from "../rules.ts";
import type { NumberedConstraint, RuntimeMatch } from "../runtime-constraint.ts";
import type { Lift, RefusedOperator } from "./lift.ts";

/** An operator by itself: a bundle that may be chosen, or one that runs. */
export interface Alone {
  readonly name: string;
  readonly package: string | undefined;
  readonly properties: readonly Property[];
  readonly place: Place | undefined;
  readonly facts: BundleFacts;
  readonly requirements: Requirements;
  /** The APIs that it provides, by `gvkKey`. */
  readonly provides: readonly string[];
  /** What speaks against what a bundle makes of the custom kinds of the cluster. */
  readonly crdUpgrade: () => CrdUpgradeDetail | undefined;
}

/** What there is around it. */
export interface Surroundings {
  readonly namespace: string;
  readonly node: ClusterNode;
  readonly targets: TargetNamespaces | undefined;
  /** The feature gate CompoundConstraintsV1Alpha1. */
  readonly compoundConstraints: boolean;
  /** Packages that are to be removed. */
  readonly removed: ReadonlySet<string>;
  /** Where a constraint of the administrator is that cannot be read. */
  readonly unreadable: { readonly place?: Place | undefined } | undefined;
  readonly runtime: readonly NumberedConstraint[];
  readonly matches: RuntimeMatch;
  /** The operators of other namespaces, by the APIs that they provide. */
  readonly elsewhere: ReadonlyMap<string, readonly Installed[]>;
}

/** A rule about one operator alone. */
export interface UnaryRule {
  readonly name: RuleName;
  /** It is a rule for operators that run, too; what was broken before may stay so. */
  readonly bindsRunning: boolean;
  /** Why an operator is refused; nothing if it keeps the rule. */
  readonly refusal: (alone: Alone, around: Surroundings) => Refusal | undefined;
  /** What could lift refusals of versions of one package, the newest first. */
  readonly lifts?: (refused: readonly RefusedOperator[]) => readonly Lift[];
}
