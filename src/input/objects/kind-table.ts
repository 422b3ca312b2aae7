// Which kinds of objects are known, and what happens with other kinds?

import type { KnownObjects } from "../../model/cluster-objects.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { CATALOG_SOURCE, CLUSTER_CATALOG } from "./catalog-source.ts";
import { CLUSTER_EXTENSION } from "./cluster-extension.ts";
import { MANAGED_CLUSTER_SET, MANAGED_CLUSTER_SET_BINDING } from "./cluster-set.ts";
import { CONFIG_MAP } from "./config-map.ts";
import { CUSTOM_RESOURCE_DEFINITION } from "./custom-resource-definition.ts";
import { INSTALL_PLAN } from "./install-plan.ts";
import { CLUSTER_SERVICE_VERSION } from "./installed-operator.ts";
import { MANAGED_CLUSTER } from "./managed-cluster.ts";
import type { ObjectKind } from "./object-kind.ts";
import { OPERATOR_CONDITION, OPERATOR_GROUP } from "./operator-group.ts";
import { PLACEMENT } from "./placement.ts";
import { ADD_ON_PLACEMENT_SCORE, PLACEMENT_DECISION } from "./placement-decision.ts";
import { SUBSCRIPTION } from "./subscription.ts";

/** The kind of each list of the model. */
export const KINDS: { readonly [List in keyof KnownObjects]: ObjectKind<KnownObjects[List][number]> } = {
  subscriptions: SUBSCRIPTION,
  catalogSources: CATALOG_SOURCE,
  installedOperators: CLUSTER_SERVICE_VERSION,
  operatorGroups: OPERATOR_GROUP,
  operatorConditions: OPERATOR_CONDITION,
  installPlans: INSTALL_PLAN,
  clusterExtensions: CLUSTER_EXTENSION,
  clusterCatalogs: CLUSTER_CATALOG,
  configMaps: CONFIG_MAP,
  customResourceDefinitions: CUSTOM_RESOURCE_DEFINITION,
  managedClusters: MANAGED_CLUSTER,
  managedClusterSets: MANAGED_CLUSTER_SET,
  managedClusterSetBindings: MANAGED_CLUSTER_SET_BINDING,
  placements: PLACEMENT,
  placementDecisions: PLACEMENT_DECISION,
  addOnPlacementScores: ADD_ON_PLACEMENT_SCORE,
};

/** Kinds of the same groups that are not needed here. */
const NOT_NEEDED: ReadonlySet<string> = new Set([
  "operators.coreos.com/OLMConfig",
  "operators.coreos.com/Operator",
  "olm.operatorframework.io/ClusterExtensionRevision",
  "olm.operatorframework.io/ClusterObjectSet",
  "olm.operatorframework.io/OLM",
  "cluster.open-cluster-management.io/BackupSchedule",
  "cluster.open-cluster-management.io/ClusterClaim",
  "cluster.open-cluster-management.io/ClusterCurator",
  "cluster.open-cluster-management.io/Restore",
  "apiextensions.k8s.io/ConversionReview",
]);

/** Groups whose documents look like objects but have no names: files of tools. */
const FILES_OF_TOOLS: ReadonlySet<string> = new Set(["kustomize.config.k8s.io"]);

const LIST_OF_KIND: ReadonlyMap<string, keyof KnownObjects> = new Map(
  Object.entries(KINDS).map(([list, { kind }]) => [kind, list as keyof KnownObjects]),
);
const GROUPS: ReadonlySet<string> = new Set(Object.values(KINDS).map(({ group }) => group));

/** The classification of a group and kind. */
export type Recognised =
  | { readonly is: "known"; readonly list: keyof KnownObjects }
  /** A known kind with a wrong group. */
  | { readonly is: "misgrouped"; readonly list: keyof KnownObjects }
  /** An unknown kind of a known group. */
  | { readonly is: "unknown"; readonly meant: string | undefined }
  | { readonly is: "ignored" }
  | { readonly is: "custom" };

/** Classifies a group and kind. */
export function recognise(group: string, kind: string): Recognised {
  const list = LIST_OF_KIND.get(kind);
  if (list !== undefined) {
    const expected = KINDS[list].group;
    if (group === expected) return { is: "known", list };
    if (resembles(group, expected)) return { is: "misgrouped", list };
  }
  if (NOT_NEEDED.has(`${group}/${kind}`) || FILES_OF_TOOLS.has(group)) return { is: "ignored" };
  if (!GROUPS.has(group)) return { is: "custom" };
  const meant = nearestKind(kind, group);
  return group === "" && meant === undefined ? { is: "custom" } : { is: "unknown", meant };
}

/** The apiVersion that objects of a known kind should have. */
export function expectedApiVersion(list: keyof KnownObjects): string {
  const { group, versions } = KINDS[list];
  return group === "" ? (versions[0] as string) : `${group}/${versions[0]}`;
}

/** The list of a kind, in any group. */
export function listOfKind(kind: string): keyof KnownObjects | undefined {
  return LIST_OF_KIND.get(kind);
}

/** The known kind that was probably meant; the same group first. */
export function nearestKind(kind: string, group: string): string | undefined {
  const kinds = Object.values(KINDS);
  const ofGroup = kinds.filter((known) => known.group === group).map((known) => known.kind);
  return didYouMean(kind, ofGroup) ?? didYouMean(kind, LIST_OF_KIND.keys());
}

/** Was another group probably meant? Several projects have kinds of the same name, so not every other group counts. */
function resembles(group: string, expected: string): boolean {
  if (group === "") return true;
  if (expected === "") return !group.includes(".");
  return expected.endsWith(`.${group}`) || didYouMean(group, [expected]) !== undefined;
}
