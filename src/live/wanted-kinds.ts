// Which kinds does a question about a cluster need, and what is unknown if one of them cannot be read?

import type { KnownObjects } from "../model/cluster-objects.ts";

/** A list of the model; ConfigMaps are never listed, since only one of them is read. */
export type WantedList = Exclude<keyof KnownObjects, "configMaps">;

/** A list that a question about operators reads. */
export type OperatorList =
  | "subscriptions"
  | "catalogSources"
  | "installedOperators"
  | "operatorGroups"
  | "operatorConditions"
  | "installPlans"
  | "clusterExtensions"
  | "clusterCatalogs"
  | "customResourceDefinitions";

/** What a question about operators reads. */
export const OPERATOR_KINDS: readonly OperatorList[] = [
  "subscriptions",
  "catalogSources",
  "installedOperators",
  "operatorGroups",
  "operatorConditions",
  "installPlans",
  "clusterExtensions",
  "clusterCatalogs",
  "customResourceDefinitions",
];

/** Objects that mean nothing here and are not asked for: OLM copies operators into every namespace that they serve. */
export const LABEL_SELECTORS: Readonly<Partial<Record<WantedList, string>>> = {
  installedOperators: "!olm.copiedFrom",
};

/** What is unknown without something: the objects of a kind, or the runtime constraints. */
export type Unknown = Readonly<Record<WantedList | "runtimeConstraints", string>>;

/** What an answer does not know without the objects of a kind. */
export const UNKNOWN_WITHOUT: Unknown = {
  runtimeConstraints: "nothing is installed or updated; give them with --runtime-constraints FILE",
  subscriptions: "the requests of OLM v0 are unknown",
  catalogSources: "the catalogs of OLM v0 and their priorities are unknown",
  installedOperators: "the installed operators are unknown, and the answer is as if there were none",
  operatorGroups: "the target namespaces of operators are unknown, and install modes are not checked",
  operatorConditions: "it is unknown whether an operator forbids its update",
  installPlans: "failed InstallPlans and the number of the next one are unknown",
  clusterExtensions: "the requests of OLM v1 are unknown",
  clusterCatalogs: "the catalogs of OLM v1, their labels and priorities are unknown",
  customResourceDefinitions:
    "the definitions of the cluster are unknown, and changes of CRDs are checked only against bundles",
  managedClusters: "the clusters are unknown",
  managedClusterSets: "the sets of clusters are unknown",
  managedClusterSetBindings: "it is unknown which sets a namespace may use",
  placements: "the Placements are unknown",
  placementDecisions: "the earlier decisions are unknown, and the answer is as if there were none",
  addOnPlacementScores: "scores of add-ons are unknown and count as missing",
};

/** What a cluster without an API group does not have. */
export const NOT_INSTALLED: Readonly<Record<string, string>> = {
  "operators.coreos.com": "OLM v0 is not installed",
  "olm.operatorframework.io": "OLM v1 is not installed",
  "cluster.open-cluster-management.io": "the cluster is not a hub of Open Cluster Management",
};
