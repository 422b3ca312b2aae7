// Which Kubernetes objects were given? All of them, by kind; each list is sorted by namespace and name.

import type { CatalogSource, ClusterCatalog } from "./catalog-source.ts";
import type { ClusterExtension } from "./cluster-extension.ts";
import type { ManagedClusterSet, ManagedClusterSetBinding } from "./cluster-set.ts";
import type { ConfigMap } from "./config-map.ts";
import type { CustomResource, CustomResourceDefinition } from "./custom-resource.ts";
import type { Finding } from "./finding.ts";
import type { InstallPlan } from "./install-plan.ts";
import type { InstalledOperator } from "./installed-operator.ts";
import type { LostText } from "./lost-text.ts";
import type { ManagedCluster } from "./managed-cluster.ts";
import type { OperatorCondition } from "./operator-condition.ts";
import type { OperatorGroup } from "./operator-group.ts";
import type { Place } from "./place.ts";
import type { Placement } from "./placement.ts";
import type { PlacementDecision } from "./placement-decision.ts";
import type { AddOnPlacementScore } from "./placement-score.ts";
import type { Subscription } from "./subscription.ts";

/** The objects of the kinds that have a meaning here. */
export interface KnownObjects {
  readonly subscriptions: readonly Subscription[];
  readonly catalogSources: readonly CatalogSource[];
  readonly installedOperators: readonly InstalledOperator[];
  readonly operatorGroups: readonly OperatorGroup[];
  readonly operatorConditions: readonly OperatorCondition[];
  readonly installPlans: readonly InstallPlan[];
  readonly clusterExtensions: readonly ClusterExtension[];
  readonly clusterCatalogs: readonly ClusterCatalog[];
  readonly configMaps: readonly ConfigMap[];
  readonly customResourceDefinitions: readonly CustomResourceDefinition[];
  readonly managedClusters: readonly ManagedCluster[];
  readonly managedClusterSets: readonly ManagedClusterSet[];
  readonly managedClusterSetBindings: readonly ManagedClusterSetBinding[];
  readonly placements: readonly Placement[];
  readonly placementDecisions: readonly PlacementDecision[];
  readonly addOnPlacementScores: readonly AddOnPlacementScore[];
}

/** The lists of objects that placement is about. */
export const FLEET_LISTS = [
  "managedClusters",
  "managedClusterSets",
  "managedClusterSetBindings",
  "placements",
  "placementDecisions",
  "addOnPlacementScores",
] as const;

/** An object that was given but could not be used. Where absence matters, this shows that it is not absent. */
export interface RejectedObject {
  readonly place: Place;
  /** Empty if it is not stated. */
  readonly kind: string;
  /** The kind that was probably meant, if the stated one is unknown. */
  readonly meant?: string | undefined;
  /** Undefined if it cannot be read, or if the kind is not namespaced. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** Why a cluster did not return it; without one, a finding at its place says what is wrong with it. */
  readonly unread?: Finding | undefined;
}

/** A name in text that could not be read, or in a document with a duplicate key: which object was given is unknown. */
export interface UnreadMention {
  /** Where the text begins. */
  readonly place: Place;
  readonly name: string;
  readonly why: "unread" | "ambiguous";
}

/** All objects that were given. */
export interface ClusterObjects extends KnownObjects {
  /** The objects of every other kind. */
  readonly customResources: readonly CustomResource[];
  readonly rejected: readonly RejectedObject[];
  /** Of the wanted names, those in text that could not be read, by name and place. */
  readonly mentioned: readonly UnreadMention[];
  /** What could not be read as objects at all. */
  readonly lost: LostText;
  /** The custom kinds, by `kindKey`, of which a cluster returned every object, even if there is none. */
  readonly wholeKinds?: ReadonlySet<string> | undefined;
  /** Custom kinds, by `kindKey`, whose objects a cluster did not return: there may be more than those that were given. */
  readonly unreadKinds?: ReadonlySet<string> | undefined;
}
