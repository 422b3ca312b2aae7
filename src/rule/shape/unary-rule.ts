// What is a rule about a single operator? `¬bundle` for each bundle that violates it.

import type { BundleFacts } from "../../constraint/bundle-facts.ts";
import type { Requirements } from "../../constraint/constraint.ts";
import type { Property } from "../../model/catalog.ts";
import type { Place } from "../../model/place.ts";
import type { ClusterNode, Installed, TargetNamespaces } from "../../model/problem.ts";
import type { CrdUpgradeDetail } from "../crd-upgrade.ts";
import type { Refusal, RuleName } from "../rules.ts";
import type { NumberedConstraint, RuntimeMatch } from "../runtime-constraint.ts";
import type { Lift, RefusedOperator } from "./lift.ts";

/** A single operator: a bundle that may be chosen, or an installed one. */
export interface Alone {
  readonly package: string | undefined;
  readonly properties: readonly Property[];
  readonly place: Place | undefined;
  readonly facts: BundleFacts;
  readonly requirements: Requirements;
  /** The APIs that it provides, by `gvkKey`. */
  readonly provides: readonly string[];
  /** Objections to the changes of a bundle to the CRDs of the cluster. */
  readonly crdUpgrade: () => CrdUpgradeDetail | undefined;
}

/** The cluster and namespace around it. */
export interface Surroundings {
  readonly namespace: string;
  readonly node: ClusterNode;
  readonly targets: TargetNamespaces | undefined;
  /** The feature gate CompoundConstraintsV1Alpha1. */
  readonly compoundConstraints: boolean;
  /** Packages to remove. */
  readonly removed: ReadonlySet<string>;
  /** The place of a malformed runtime constraint. */
  readonly unreadable: { readonly place?: Place | undefined } | undefined;
  readonly runtime: readonly NumberedConstraint[];
  readonly matches: RuntimeMatch;
  /** The operators of other namespaces, by the APIs that they provide. */
  readonly elsewhere: ReadonlyMap<string, readonly Installed[]>;
}

/** A rule about a single operator. */
export interface UnaryRule {
  readonly name: RuleName;
  /** It also applies to installed operators; if violated before, it may stay violated. */
  readonly bindsRunning: boolean;
  /** Why an operator is refused; undefined if it satisfies the rule. */
  readonly refusal: (alone: Alone, around: Surroundings) => Refusal | undefined;
  /** The changes that could lift refusals of versions of one package, newest first. */
  readonly lifts?: (refused: readonly RefusedOperator[]) => readonly Lift[];
}
