// Which objects does the hub of the bench have? A fleet in one set, and Placements that all select by labels, in one namespace, with
// OCM's default prioritizers.
import { FLEET, managedCluster } from "../live/objects.mjs";

const GROUP = "cluster.open-cluster-management.io";
export const NAMESPACE = "default";
/** Where the collections of the bench are. */
export const PATHS = {
  clusters: `/apis/${GROUP}/v1/managedclusters`,
  placements: `/apis/${GROUP}/v1beta1/namespaces/${NAMESPACE}/placements`,
  decisions: `/apis/${GROUP}/v1beta1/namespaces/${NAMESPACE}/placementdecisions`,
  events: `/apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`,
};
/** The label that says which Placement a decision belongs to. */
export const PLACEMENT_LABEL = `${GROUP}/placement`;

const SHARD = "bench.example.com/shard";
const SERVING = "bench.example.com/serving";

/** The set of the fleet, and the right of the namespace to use it. */
export const SET = FLEET.filter(({ kind }) => kind !== "Placement");

/** A cluster that belongs to one of some shards, and serves. */
export function shardedCluster(index, shards) {
  const cluster = managedCluster(index);
  const { metadata, spec } = cluster;
  const [config] = spec.managedClusterClientConfigs;
  const labels = { ...metadata.labels, [SHARD]: `shard-${index % shards}`, [SERVING]: "yes" };
  // OCM's CRDs want valid base64.
  const managedClusterClientConfigs = [{ ...config, caBundle: Buffer.alloc(180, "ca").toString("base64") }];
  return { ...cluster, metadata: { ...metadata, labels }, spec: { ...spec, managedClusterClientConfigs } };
}

export const clusterName = (index) => managedCluster(index).metadata.name;

/** A patch of one label: the Placement of the cluster's shard selects it, or does not. */
export const servingPatch = (isServing) => ({ metadata: { labels: { [SERVING]: isServing ? "yes" : "no" } } });

export const isServing = ({ metadata }) => metadata.labels[SERVING] === "yes";

/** A patch of the status that changes nothing a Placement can select by: another time in every condition. */
export function heartbeatPatch(index) {
  const { conditions } = managedCluster(index).status;
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  return { status: { conditions: conditions.map((condition) => ({ ...condition, lastTransitionTime })) } };
}

/** A Placement that selects every cluster, by two labels. */
export const placementOfAll = (index) =>
  placement(`all-${String(index).padStart(4, "0")}`, [
    { key: "region", operator: "Exists" },
    { key: "stage", operator: "In", values: ["prod", "test"] },
  ]);

/** A Placement that selects the clusters of a shard that serve: a change of that label concerns no other one. */
export const placementOfShard = (index) =>
  placement(`shard-${index}`, [
    { key: SHARD, operator: "In", values: [`shard-${index}`] },
    { key: SERVING, operator: "In", values: ["yes"] },
  ]);

function placement(name, matchExpressions) {
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "Placement",
    metadata: { name, namespace: NAMESPACE },
    spec: {
      clusterSets: ["fleet"],
      predicates: [{ requiredClusterSelector: { labelSelector: { matchExpressions } } }],
    },
  };
}
