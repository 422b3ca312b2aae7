// Where are the kinds of a hub on its API server, and which labels do PlacementDecisions have?

const GROUP = "cluster.open-cluster-management.io";

/** The paths of all objects of a kind. */
export const CLUSTERS: string = `/apis/${GROUP}/v1/managedclusters`;
export const SETS: string = `/apis/${GROUP}/v1beta2/managedclustersets`;
export const DECISIONS: string = `/apis/${GROUP}/v1beta1/placementdecisions`;
export const PLACEMENTS: string = `/apis/${GROUP}/v1beta1/placements`;

/** The path of a namespaced kind in a namespace. */
export function inNamespace(path: string, namespace: string): string {
  const at = path.lastIndexOf("/");
  return `${path.slice(0, at)}/namespaces/${namespace}${path.slice(at)}`;
}

export const BINDINGS: string = `/apis/${GROUP}/v1beta2/managedclustersetbindings`;
export const SCORES: string = `/apis/${GROUP}/v1alpha1/addonplacementscores`;
/** The names of these kinds in paths. */
export const FLEET_RESOURCES: readonly string[] = [CLUSTERS, SETS, BINDINGS, PLACEMENTS, DECISIONS, SCORES].map(
  (path) => path.slice(path.lastIndexOf("/") + 1),
);
export const EVENTS = "/apis/events.k8s.io/v1/events";
export const LEASES = "/apis/coordination.k8s.io/v1/leases";

export const SET_LABEL: string = `${GROUP}/clusterset`;
export const PLACEMENT_LABEL: string = `${GROUP}/placement`;
export const GROUP_NAME_LABEL: string = `${GROUP}/decision-group-name`;
export const GROUP_INDEX_LABEL: string = `${GROUP}/decision-group-index`;
export const DISABLE_ANNOTATION: string = `${GROUP}/experimental-scheduling-disable`;

/** The kinds that tests make, with their versions. */
export const API_VERSIONS: Readonly<Record<HubKind, string>> = {
  ManagedCluster: `${GROUP}/v1`,
  ManagedClusterSet: `${GROUP}/v1beta2`,
  ManagedClusterSetBinding: `${GROUP}/v1beta2`,
  Placement: `${GROUP}/v1beta1`,
  AddOnPlacementScore: `${GROUP}/v1alpha1`,
};

export type HubKind =
  | "ManagedCluster"
  | "ManagedClusterSet"
  | "ManagedClusterSetBinding"
  | "Placement"
  | "AddOnPlacementScore";
