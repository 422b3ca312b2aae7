// Which clusters and bundles are expressions evaluated for? The same ones in every run: made from a seed, and read with
// JSON.parse, as input is.

/** Numbers between 0 and 1 that are the same in every run (mulberry32). */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const CLOUDS = ["Amazon", "Azure", "Google", "BareMetal"];
const PLATFORMS = { Amazon: "AWS", Azure: "Azure", Google: "GCP", BareMetal: "Other" };
const REGIONS = ["us-east-1", "us-west-2", "eu-central-1", "ap-south-1"];
const CONDITIONS = [
  "HubAcceptedManagedCluster",
  "ManagedClusterJoined",
  "ManagedClusterConditionAvailable",
  "ClockSynced",
];

/** Clusters and their scores: `{ managedCluster, scores }`. */
export function clusters(count) {
  const random = randomNumbers(1);
  const below = (limit) => Math.floor(random() * limit);
  const pick = (list) => list[below(list.length)];
  return Array.from({ length: count }, (_, index) => {
    const cloud = pick(CLOUDS);
    const region = pick(REGIONS);
    const version = `1.${26 + below(8)}.${below(15)}`;
    const labels = {
      cloud,
      vendor: "OpenShift",
      "cluster.open-cluster-management.io/clusterset": pick(["prod", "dev"]),
    };
    // Not every cluster has every label, so label maps differ in shape.
    if (random() < 0.95) labels.version = version;
    if (random() < 0.9) labels.region = region;
    if (random() < 0.7) labels.env = pick(["prod", "dev", "stage"]);
    if (random() < 0.5)
      labels[`feature.open-cluster-management.io/addon-${pick(["search", "policy", "work-manager"])}`] = "available";
    const claims = {
      "id.k8s.io": `id-${index}-${below(1e9)}`,
      "kubeversion.open-cluster-management.io": `v${version}`,
      "product.open-cluster-management.io": "OpenShift",
      "region.open-cluster-management.io": region,
      "controlplanetopology.openshift.io": pick(["HighlyAvailable", "SingleReplica"]),
      "platform.open-cluster-management.io": PLATFORMS[cloud],
      "infrastructure.openshift.io": `{"infraName":"infra-${index}"}`,
      "hostingcluster.hypershift.openshift.io": "none",
    };
    const cpu = pick(["8", "16", "64"]);
    const made = {
      managedCluster: {
        apiVersion: "cluster.open-cluster-management.io/v1",
        kind: "ManagedCluster",
        metadata: {
          name: `cluster-${index}`,
          creationTimestamp: "2026-01-01T00:00:00Z",
          generation: 1 + below(9),
          labels,
        },
        spec: { hubAcceptsClient: true, leaseDurationSeconds: 60 },
        status: {
          allocatable: { cpu, memory: "31Gi" },
          capacity: { cpu, memory: "32Gi" },
          clusterClaims: Object.entries(claims).map(([name, value]) => ({ name, value })),
          conditions: CONDITIONS.map((type) => ({
            type,
            status: "True",
            reason: "Ok",
            message: "",
            observedGeneration: 1 + below(9),
            lastTransitionTime: "2026-01-01T00:00:00Z",
          })),
          version: { kubernetes: `v${version}` },
        },
      },
      scores: {
        "resource-usage": ["cpuRatio", "memoryRatio", "cpuAvailable", "memoryAvailable"].map((name) => ({
          name,
          value: below(201) - 100,
        })),
      },
    };
    return JSON.parse(JSON.stringify(made));
  });
}

/** Bundles with 20 properties: `{ properties }`. */
export function bundles(count) {
  const random = randomNumbers(2);
  const below = (limit) => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, index) => {
    const properties = [
      { type: "olm.package", value: { packageName: `operator-${index}`, version: `1.${below(30)}.${below(9)}` } },
    ];
    while (properties.length < 20) properties.push(property(properties.length, below));
    return JSON.parse(JSON.stringify({ properties }));
  });
}

function property(index, below) {
  const group = below(100) === 0 ? "example.org" : `apps${below(9)}.example.com`;
  const resource = { group, version: below(2) === 0 ? "v1" : "v1beta1", kind: `Kind${index}` };
  switch (below(8)) {
    case 0:
      return { type: "olm.gvk.required", value: resource };
    case 1:
      return {
        type: "olm.package.required",
        value: { packageName: `other-${below(50)}`, versionRange: ">=1.0.0 <2.0.0" },
      };
    case 2:
      return { type: "olm.maxOpenShiftVersion", value: `4.${10 + below(9)}` };
    case 3:
      return below(6) === 0 ? { type: "certified", value: true } : { type: "stable", value: true };
    default:
      return { type: "olm.gvk", value: resource };
  }
}
