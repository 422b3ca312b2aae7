// Which objects does a large cluster have? A fleet with its Placement, and custom resources of a kind that an installed operator of
// the bundled example owns.

const GROUP = "cluster.open-cluster-management.io";
const REGIONS = ["north", "east", "south", "west"];

/** A cluster as a hub has it: about 3.7 KB of JSON. */
export function managedCluster(index) {
  const id = String(index).padStart(5, "0");
  const labels = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`feature.example.com/part-${at}`, `value-${(index * 7 + at) % 50}`]),
  );
  const claims = Array.from({ length: 8 }, (_, at) => ({
    name: `claim-${at}.example.com`,
    value: `${id}-${(index * 3 + at) % 100}-of-the-fleet`,
  }));
  const condition = (type, message) => ({
    type,
    status: "True",
    reason: `${type}ByAgent`,
    message,
    lastTransitionTime: "2026-10-01T08:00:00Z",
  });
  return {
    apiVersion: `${GROUP}/v1`,
    kind: "ManagedCluster",
    metadata: {
      name: `cluster-${id}`,
      labels: {
        ...labels,
        [`${GROUP}/clusterset`]: "fleet",
        region: REGIONS[index % 4],
        stage: index % 3 ? "prod" : "test",
      },
      annotations: { "example.com/import": `imported by the agent of ${id}`, "example.com/notes": "x".repeat(1290) },
    },
    spec: {
      hubAcceptsClient: true,
      leaseDurationSeconds: 60,
      managedClusterClientConfigs: [{ url: `https://api.cluster-${id}.example.com:6443`, caBundle: "eA==".repeat(60) }],
    },
    status: {
      version: { kubernetes: `v1.${28 + (index % 5)}.${index % 9}` },
      allocatable: { cpu: `${8 + (index % 64)}`, memory: `${32 + (index % 256)}Gi`, pods: "250" },
      capacity: { cpu: `${10 + (index % 64)}`, memory: `${40 + (index % 256)}Gi`, pods: "250" },
      clusterClaims: claims,
      conditions: [
        condition("HubAcceptedManagedCluster", "Accepted by hub cluster admin"),
        condition("ManagedClusterJoined", "Managed cluster joined"),
        condition("ManagedClusterConditionAvailable", "Managed cluster is available"),
      ],
    },
  };
}

/** What selects among them. */
export const FLEET = [
  { apiVersion: `${GROUP}/v1beta2`, kind: "ManagedClusterSet", metadata: { name: "fleet" }, spec: {} },
  {
    apiVersion: `${GROUP}/v1beta2`,
    kind: "ManagedClusterSetBinding",
    metadata: { name: "fleet", namespace: "default" },
    spec: { clusterSet: "fleet" },
  },
  {
    apiVersion: `${GROUP}/v1beta1`,
    kind: "Placement",
    metadata: { name: "production", namespace: "default" },
    spec: {
      clusterSets: ["fleet"],
      predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels: { stage: "prod" } } } }],
    },
  },
];

/** An object of the kind that the operator winch owns. */
export function winch(index) {
  return {
    apiVersion: "machinery.harbour.example.com/v1beta1",
    kind: "Winch",
    metadata: {
      name: `winch-${String(index).padStart(5, "0")}`,
      namespace: "quay-north",
      annotations: { "example.com/notes": "y".repeat(800) },
    },
    spec: {
      capacityTonnes: 1 + (index % 90),
      brake: index % 2 ? "disc" : "band",
      rope: { lengthMetres: 50 + (index % 200), material: "steel" },
      crew: ["ada", "bjarne"],
    },
  };
}
