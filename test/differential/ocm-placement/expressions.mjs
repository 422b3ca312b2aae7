// Which expressions do random Placements have? Some hold, some do not, some fail, some do not compile. Only what OCM's own
// environment has is used: what we have beyond it would be a difference without a meaning.

const LABELS = "managedCluster.metadata.labels";
const CLAIMS = "managedCluster.status.clusterClaims";
const CPU = "managedCluster.status.allocatable.cpu";
const MEMORY = "managedCluster.status.allocatable.memory";
const VERSION = "managedCluster.status.version.kubernetes";

/** Each creates an expression; the usual ones are repeated. */
const SOUND = [
  ({ pick }) => `${LABELS}["env"] == "${pick(["prod", "dev"])}"`,
  ({ pick }) => `${LABELS}.env in ["${pick(["prod", "test"])}", "dev"]`,
  ({ pick }) => `"${pick(["tier", "env", "zone"])}" in ${LABELS}`,
  ({ pick }) => `has(${LABELS}) && has(${LABELS}.tier) && ${LABELS}.tier != "${pick(["gold", "silver"])}"`,
  ({ pick }) => `managedCluster.?metadata.?labels["env"].orValue("${pick(["prod", "dev"])}") == "dev"`,
  () => `${LABELS}.all(key, key.size() > 3)`,
  () => `${LABELS}["version"].matches('^1\\\\.(30|31)\\\\.\\\\d+$')`,
  ({ pick }) => `${LABELS}["version"].find('[0-9]+$') == "${pick(["0", "1", "2"])}"`,
  ({ pick }) => `semver(${LABELS}["version"]).isLessThan(semver("1.${pick(["30.1", "31.0", "31.2"])}"))`,
  () => `isSemver(${LABELS}.version)`,
  ({ pick }) => `semver(${VERSION}.replace("v", "")).compareTo(semver("1.${pick(["30.0", "31.0"])}")) >= 0`,
  ({ pick }) => `${VERSION}.startsWith("v1.${pick(["30", "31"])}")`,
  ({ pick }) => `${CLAIMS}.exists(c, c.name == "region" && c.value == "${pick(["eu", "us"])}")`,
  ({ pick }) => `${CLAIMS}.exists_one(c, c.name == "${pick(["region", "product"])}")`,
  ({ pick }) => `${CLAIMS}.filter(c, c.name == "info").all(c, c.value.parseJSON().nodes > ${pick(["2.0", "4.0"])})`,
  () => `${CLAIMS}.filter(c, c.name == "info").exists(c, c.value.parseJSON()["gpu"] == true)`,
  ({ pick }) => `quantity(${CPU}).isGreaterThan(quantity("${pick(["4", "7500m", "0.5"])}"))`,
  ({ pick }) => `quantity(${MEMORY}).compareTo(quantity("${pick(["16Gi", "1G", "512Mi"])}")) > 0`,
  ({ pick }) => `quantity(${CPU}).add(quantity("1")).asApproximateFloat() > ${pick(["3.0", "8.5"])}`,
  ({ pick }) => `${pick([CPU, MEMORY])} == "${pick(["8", "1Gi", "16Gi", "500m"])}"`,
  ({ pick }) => `"${pick(["cpu", "memory", "pods"])}" in managedCluster.status.capacity`,
  ({ pick }) => `managedCluster.scores("load").filter(s, s.name == "cpu").all(s, s.value > ${pick([0, 30])})`,
  ({ pick }) => `managedCluster.scores("${pick(["load", "latency"])}").exists(s, s.value < ${pick([0, 50])})`,
  ({ pick }) => `managedCluster.scores("load").size() == ${pick([0, 1, 2])}`,
  ({ pick }) => `managedCluster.scores("load").map(s, int(s.value)).sum() > ${pick([-20, 20])}`,
  () => `managedCluster.scores("nobody").size() >= 0`,
  () => "!has(managedCluster.spec.taints)",
  ({ pick }) => `managedCluster.spec.taints.exists(t, t.key == "${pick(["gpu", "edge"])}")`,
  () => `timestamp(managedCluster.spec.taints[0].timeAdded) < timestamp("2026-01-01T11:00:00Z")`,
  ({ pick }) =>
    `managedCluster.status.conditions.exists(c, c.type == "ManagedClusterConditionAvailable" && c.status == "${pick(["True", "False"])}")`,
  () => "managedCluster.spec.hubAcceptsClient",
  ({ pick }) => `managedCluster.metadata.name.endsWith("${pick(["1", "2", "3"])}")`,
  () => `managedCluster.metadata.name in ["c1", "c3", "c10"] || ${LABELS}.env == "dev"`,
  () => `managedCluster.spec.leaseDurationSeconds / 7 == 8`,
  () => `!format.dns1123Label().validate(managedCluster.metadata.name).hasValue()`,
  () => `managedCluster.metadata.creationTimestamp != null`,
];

/** They compile and fail, or give no bool, for all clusters or for some. */
const FAILING = [
  () => `${LABELS}["absent"] == "x"`,
  () => `${LABELS}["absent"] == "x" || true`,
  () => "managedCluster.metadata.name",
  () => `managedCluster.status.nodes > 3`,
  () => `int(${LABELS}.tier) > 3`,
  () => `semver(${VERSION}).major() == 1`,
  () => `"[".matches(${LABELS}.zone)`,
  () => `managedCluster.metadata.name.matches("(")`,
];

const BROKEN = [
  () => `${LABELS}["env"`,
  () => `nothing(managedCluster)`,
  () => `managedcluster.metadata.name == "c1"`,
  () => `1 < 2.0`,
  () => `managedCluster.metadata.name == `,
  () => `semver("1.0.0") == quantity("1")`,
  () => "",
];

/** A random expression. */
export function randomExpression(dice) {
  if (dice.chance(0.025)) return dice.pick(BROKEN)(dice);
  return dice.pick(dice.chance(0.08) ? FAILING : SOUND)(dice);
}
