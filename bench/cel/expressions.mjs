// Which expressions are measured? Ten, as people write them for bundles and for clusters.

const LABELS = "managedCluster.metadata.labels";

/** What it is about, its text, the environment it belongs to, and what a library must be given differently. */
export const EXPRESSIONS = [
  {
    id: "E1",
    about: "bundle: exists, 20 properties",
    env: "bundle",
    text: 'properties.exists(p, p.type == "certified")',
  },
  {
    id: "E2",
    about: "label, regular expression",
    env: "placement",
    text: `${LABELS}["version"].matches('^1\\\\.(30|31)\\\\.\\\\d+$')`,
  },
  {
    id: "E3",
    about: "scores, filter, all",
    env: "placement",
    text: 'managedCluster.scores("resource-usage").filter(s, s.name == "cpuAvailable").all(e, e.value > 0)',
  },
  {
    id: "E4",
    about: "label, semver",
    env: "placement",
    text: `semver(${LABELS}["version"]).isGreaterThan(semver("1.30.0"))`,
  },
  {
    id: "E5",
    about: "claims, exists",
    env: "placement",
    text: 'managedCluster.status.clusterClaims.exists(c, c.name == "platform.open-cluster-management.io" && c.value == "AWS")',
  },
  {
    id: "E6",
    about: "labels, && and in",
    env: "placement",
    text: `${LABELS}["vendor"] == "OpenShift" && ${LABELS}["cloud"] in ["Amazon", "Google"]`,
  },
  {
    id: "E7",
    about: "bundle: all, resources it provides",
    env: "bundle",
    text: 'properties.all(p, p.type != "olm.gvk" || (p.value.group.endsWith(".example.com") && p.value.version in ["v1", "v1beta1"]))',
  },
  {
    id: "E8",
    about: "arithmetic on ints",
    env: "placement",
    ints: true,
    text: "managedCluster.status.conditions.all(c, c.observedGeneration * 2 + 1 > managedCluster.metadata.generation % 3)",
  },
  { id: "E9", about: "label missing: an error", env: "placement", text: `${LABELS}["absent"] == "prod"` },
  {
    id: "E10",
    about: "an error that || absorbs",
    env: "placement",
    text: `${LABELS}["absent"] == "prod" || ${LABELS}["vendor"] == "OpenShift"`,
  },
];
