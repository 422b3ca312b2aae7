// Which objects does a fleet of the table stand for? The table has only what differs from one to another.

const GROUP = "cluster.open-cluster-management.io";

/** The time that everything is validated by. */
export const NOW = "2026-01-01T12:00:00Z";

const object = (version, kind, metadata, rest) => ({ apiVersion: `${GROUP}/${version}`, kind, metadata, ...rest });

/** All objects of a fleet. */
export function manifestsOf(fleet) {
  return [
    ...Object.entries(clustersOf(fleet)).map(([name, cluster]) => managedCluster(name, cluster)),
    ...Object.entries(fleet.sets).map(([name, clusterSelector]) =>
      object("v1beta2", "ManagedClusterSet", { name }, { spec: { clusterSelector } }),
    ),
    ...fleet.bindings.map(([namespace, name]) =>
      object("v1beta2", "ManagedClusterSetBinding", { namespace, name }, { spec: { clusterSet: name } }),
    ),
    ...fleet.decisions.map(([namespace, name, placement, clusters]) => decision(namespace, name, placement, clusters)),
    ...fleet.scores.map(([namespace, name, validUntil, scores]) => {
      const status = { scores: scores.map(([of, value]) => ({ name: of, value })), ...(validUntil && { validUntil }) };
      return object("v1alpha1", "AddOnPlacementScore", { namespace, name }, { status });
    }),
    ...fleet.placements.map(placementOf),
  ];
}

/** `many` expands to that number of clusters, which differ only in their labels. */
function clustersOf({ clusters, many = 0 }) {
  const plain = Array.from({ length: many }, (_, index) => [
    `m${String(index).padStart(3, "0")}`,
    { labels: { env: index % 3 === 0 ? "dev" : "prod", shard: `s${index % 7}` } },
  ]);
  return { ...clusters, ...Object.fromEntries(plain) };
}

function managedCluster(name, { labels, annotations, terminating, claims, taints, accepted = true, ...status }) {
  const metadata = {
    name,
    creationTimestamp: "2025-06-01T00:00:00Z",
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(terminating && { deletionTimestamp: NOW }),
  };
  const { version, available, ...amounts } = status;
  return object("v1", "ManagedCluster", metadata, {
    spec: { hubAcceptsClient: accepted, leaseDurationSeconds: 60, ...(taints && { taints }) },
    status: {
      ...amounts,
      ...(version && { version: { kubernetes: version } }),
      ...(claims && { clusterClaims: claims.map(([of, value]) => ({ name: of, value })) }),
      ...(available && {
        conditions: [
          {
            type: "ManagedClusterConditionAvailable",
            status: available,
            reason: "ManagedClusterAvailable",
            message: "",
            lastTransitionTime: "2025-12-01T00:00:00Z",
          },
        ],
      }),
    },
  });
}

function decision(namespace, name, placement, clusters) {
  const metadata = { namespace, name, ...(placement && { labels: { [`${GROUP}/placement`]: placement } }) };
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: "" }));
  return object("v1beta1", "PlacementDecision", metadata, { status: { decisions } });
}

function placementOf({ namespace, name, disable, terminating, spec }) {
  const metadata = {
    namespace,
    name,
    ...(disable && { annotations: { [`${GROUP}/experimental-scheduling-disable`]: disable } }),
    ...(terminating && { deletionTimestamp: NOW }),
  };
  const predicates = spec.predicates?.map(predicateOf);
  return object("v1beta1", "Placement", metadata, { spec: { ...spec, ...(predicates && { predicates }) } });
}

/** The table has a predicate as its parts without the names around them. */
function predicateOf({ labels, claims, cel }) {
  return {
    requiredClusterSelector: {
      ...(labels && { labelSelector: labels }),
      ...(claims && { claimSelector: { matchExpressions: claims } }),
      ...(cel && { celSelector: { celExpressions: cel } }),
    },
  };
}
