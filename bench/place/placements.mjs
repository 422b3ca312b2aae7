// Which Placements are measured? One of the usual kind, with a bit of everything; and many that differ.

const GROUP = "cluster.open-cluster-management.io";

/** A Placement in a namespace that may use every cluster. */
const placement = (name, spec, namespace = "platform") => ({
  apiVersion: `${GROUP}/v1beta1`,
  kind: "Placement",
  metadata: { name, namespace },
  spec,
});

const NEW_ENOUGH = "semver(managedCluster.status.version.kubernetes.replace('v', '')).isGreaterThan(semver('1.28.0'))";
const LARGE_ENOUGH = "quantity(managedCluster.status.allocatable.memory).isGreaterThan(quantity('64Gi'))";

const byLabels = (...matchExpressions) => ({ labelSelector: { matchExpressions } });
const byClaims = (...matchExpressions) => ({ claimSelector: { matchExpressions } });
const byCel = (...celExpressions) => ({ celSelector: { celExpressions } });
const any = (...selectors) => selectors.map((requiredClusterSelector) => ({ requiredClusterSelector }));

const addOn = (resourceName, scoreName, weight) => ({
  scoreCoordinate: { type: "AddOn", addOn: { resourceName, scoreName } },
  weight,
});
const builtIn = (name, weight) => ({ scoreCoordinate: { type: "BuiltIn", builtIn: name }, weight });

const NOT_TEST = byLabels({ key: "env", operator: "NotIn", values: ["test"] });
const KNOWN_PRODUCT = byClaims({ key: "product.open-cluster-management.io", operator: "Exists" });

/** A label, a claim, two expressions and two prioritizers. */
export function usual(name, numberOfClusters) {
  return placement(name, {
    ...(numberOfClusters !== undefined && { numberOfClusters }),
    predicates: any({ ...NOT_TEST, ...KNOWN_PRODUCT, ...byCel(NEW_ENOUGH, LARGE_ENOUGH) }),
    prioritizerPolicy: {
      mode: "Exact",
      configurations: [addOn("resource-usage-score", "cpuAvailable", 2), builtIn("ResourceAllocatableMemory", 1)],
    },
  });
}

/** Kinds of Placements that OCM can do, too. */
export const COMPARED = [
  usual("usual"),
  usual("usual-100", 100),
  placement("everything", {}),
  placement("labels", { predicates: any(NOT_TEST), numberOfClusters: 10 }),
  placement("claims", { predicates: any(KNOWN_PRODUCT), numberOfClusters: 10 }),
  placement("one-expression", { predicates: any(byCel(LARGE_ENOUGH)), numberOfClusters: 10 }),
  placement("scores", {
    predicates: any(
      byCel("managedCluster.scores('resource-usage-score').exists(s, s.name == 'cpuAvailable' && s.value > 20)"),
    ),
    numberOfClusters: 10,
  }),
];

const CLOUDS = ["Amazon", "Azure", "Google", "VMware", "BareMetal", "IBM"];
const ENVIRONMENTS = ["dev", "test", "staging", "prod"];
const REGIONS = ["eu-west-1", "us-east-1", "westeurope", "us-central1"];

/** Different Placements, as many as given. */
export function many(count) {
  return Array.from({ length: count }, (_, index) => {
    const of = (list) => list[index % list.length];
    const expressions = [
      `semver(managedCluster.status.version.kubernetes.replace('v', '')).isGreaterThan(semver('1.${27 + (index % 5)}.${index % 11}'))`,
      `quantity(managedCluster.status.allocatable.cpu).isGreaterThan(quantity('${1 + (index % 97)}'))`,
    ];
    return placement(`p${String(index).padStart(4, "0")}`, {
      ...(index % 3 !== 0 && { numberOfClusters: 1 + (index % 50) }),
      predicates: any(
        {
          ...byLabels({ key: "cloud", operator: "In", values: [of(CLOUDS), CLOUDS[(index + 1) % CLOUDS.length]] }),
          ...(index % 2 === 0 &&
            byClaims({ key: "region.open-cluster-management.io", operator: "NotIn", values: [of(REGIONS)] })),
          ...(index % 4 !== 0 && byCel(...expressions.slice(0, 1 + (index % 2)))),
        },
        byLabels({ key: "env", operator: "In", values: [of(ENVIRONMENTS)] }, { key: "tier", operator: "Exists" }),
      ),
      prioritizerPolicy: {
        mode: index % 2 === 0 ? "Additive" : "Exact",
        configurations: [
          addOn("resource-usage-score", "memAvailable", 1 + (index % 3)),
          builtIn("ResourceAllocatableCPU", 1),
        ],
      },
    });
  });
}

/** The PlacementDecisions of a Placement that has none yet, as they are once they have been written. */
export function decisionsOf(namespace, writes) {
  return writes
    .filter(({ call }) => call === "create")
    .map(({ name, labels }) => {
      const { decisions } = writes.find((write) => write.call === "update" && write.name === name) ?? { decisions: [] };
      const metadata = { name, namespace, labels };
      return { apiVersion: `${GROUP}/v1beta1`, kind: "PlacementDecision", metadata, status: { decisions } };
    });
}
