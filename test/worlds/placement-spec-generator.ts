// Which specs are possible? Random specs of Placements with every field of the API; now and then one is broken.

import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Dice } from "./dice.ts";

/** The labels that clusters have and rules ask for, with their values. */
export const LABELS: ReadonlyMap<string, readonly string[]> = new Map([
  ["env", ["prod", "dev"]],
  ["region", ["east", "west", "north"]],
  ["example.com/zone", ["1a", "1b"]],
  ["constructor", ["yes"]],
]);

/** The claims that clusters make, with their values. */
export const CLAIMS: ReadonlyMap<string, readonly string[]> = new Map([
  ["cloud", ["Amazon", "Azure"]],
  ["region", ["east", "west"]],
  ["product", ["k8s"]],
]);

/** The keys of taints. */
export const TAINT_KEYS: readonly string[] = ["gpu", "example.com/maintenance", "unreachable"];

/** The names of AddOnPlacementScores. */
export const RESOURCES: readonly string[] = ["usage", "default"];

/** The names of the scores in them. */
export const SCORES: readonly string[] = ["cpu", "memory"];

/** Every set that there may be. */
export const SETS: readonly string[] = ["all", "alpha", "beta", "broken", "east", "none", "odd"];

/** An expression that looks at conditions, which a heartbeat changes. */
export const CONDITION_EXPRESSION =
  'managedCluster.status.conditions.exists(c, c.type == "ManagedClusterConditionAvailable" && c.status == "True")';

const EXPRESSIONS: readonly string[] = [
  "true",
  'managedCluster.metadata.labels["env"] == "prod"',
  '!(managedCluster.metadata.labels["env"] == "prod")',
  'managedCluster.metadata.?labels.?region.orValue("") != "north"',
  'managedCluster.metadata.name != "c3"',
  'managedCluster.status.clusterClaims.exists(c, c.name == "cloud" && c.value == "Amazon")',
  'managedCluster.Status.version.kubernetes == "v1.30.0"',
  'managedCluster.status.version.kubernetes.versionIsGreaterThan("1.30.0")',
  'quantity(managedCluster.status.allocatable.cpu).isGreaterThan(quantity("3"))',
  'managedCluster.scores("usage").all(s, s.value > 20)',
  'managedCluster.score("usage", "cpu") > 20',
  'managedCluster.hasScore("default", "memory") && managedCluster.score("default", "memory") < 50',
  'managedCluster.scores(managedCluster.metadata.labels["env"] == "prod" ? "usage" : "default").size() > 0',
  'managedCluster.metadata.labels["region"] == "east" || true',
  "!has(managedCluster.spec.taints)",
  "!has(managedCluster.metadata.labels.region)",
  "managedCluster.spec.hubAcceptsClient",
  "managedCluster.staus.version == 1",
  "dyn(1)",
  CONDITION_EXPRESSION,
];

const BROKEN_EXPRESSIONS: readonly string[] = [
  "invalid.expression",
  "1 +",
  'managedCluster.score("default, "cpu") < 2',
];

const BUILT_IN: readonly string[] = [
  "Balance",
  "Steady",
  "ResourceAllocatableCPU",
  "ResourceAllocatableMemory",
  "Spread",
];

/** A spec; `care` is how often each part of it is as it should be. */
export function placementSpec(dice: Dice, care: number): JsonObject {
  const part = (probability: number, make: () => JsonObject): JsonObject => (dice.chance(probability) ? make() : {});
  return {
    ...part(0.3, () => ({ clusterSets: dice.some([...SETS, "missing"], 0.4) })),
    ...part(0.6, () => ({ numberOfClusters: dice.chance(care) ? dice.pick([0, 1, 2, 2, 3, 3, 4, 5, 8]) : -1 })),
    ...part(0.6, () => ({ predicates: dice.times(0, 3, () => predicate(dice, care)) })),
    ...part(0.6, () => ({ prioritizerPolicy: prioritizerPolicy(dice, care) })),
    ...part(0.5, () => ({ spreadPolicy: { spreadConstraints: dice.times(0, 3, () => spread(dice, care)) } })),
    ...part(0.5, () => ({ tolerations: dice.times(0, 3, () => toleration(dice, care)) })),
    ...part(0.5, () => ({ decisionStrategy: { groupStrategy: groupStrategy(dice, care) } })),
    ...part(0.3, () => ({ sortBy: dice.pick(["ClusterName", "Score", "Score"]) })),
    ...part(0.1, () => ({ scoreRateLimit: dice.pick(["30s", "2m", "1h"]) })),
  };
}

function predicate(dice: Dice, care: number): JsonObject {
  const celExpressions = dice.times(1, 2, () => dice.pick(dice.chance(care) ? EXPRESSIONS : BROKEN_EXPRESSIONS));
  const requiredClusterSelector = {
    ...(dice.chance(0.4) && { labelSelector: labelSelector(dice, care) }),
    ...(dice.chance(0.3) && { claimSelector: { matchExpressions: requirements(dice, CLAIMS, care) } }),
    ...(dice.chance(0.6) && { celSelector: { celExpressions } }),
  };
  return { requiredClusterSelector };
}

/** A selector over labels. */
export function labelSelector(dice: Dice, care: number): JsonObject {
  const matchLabels = dice.some([...LABELS.keys()], 0.15).map((key) => [key, dice.pick(LABELS.get(key) ?? [])]);
  return {
    ...(dice.chance(0.5) && { matchLabels: Object.fromEntries(matchLabels) as JsonObject }),
    ...(dice.chance(0.6) && { matchExpressions: requirements(dice, LABELS, care) }),
  };
}

function requirements(dice: Dice, of: ReadonlyMap<string, readonly string[]>, care: number): readonly JsonObject[] {
  return dice.times(0, 2, () => {
    if (!dice.chance(care)) return brokenRequirement(dice);
    const key = dice.pick([...of.keys()]);
    const operator = dice.pick(["In", "NotIn", "In", "Exists", "DoesNotExist"]);
    const values = dice.some(of.get(key) ?? [], 0.6);
    if (!operator.endsWith("In")) return { key, operator };
    return { key, operator, values: values.length > 0 ? values : ["other"] };
  });
}

function brokenRequirement(dice: Dice): JsonObject {
  return dice.pick<JsonObject>([
    { key: "env", operator: "In", values: [] },
    { key: "env", operator: "Exists", values: ["prod"] },
    { key: "env", operator: "Near", values: ["prod"] },
    { key: "no good key", operator: "Exists" },
    { key: "a/b/c", operator: "Exists" },
    { key: "env", operator: "NotIn", values: ["-not a value-"] },
  ]);
}

function prioritizerPolicy(dice: Dice, care: number): JsonObject {
  const mode = dice.chance(care) ? dice.pick(["Additive", "Exact", "Exact", ""]) : "Sideways";
  return { mode, configurations: dice.times(0, 4, () => configuration(dice, care)) };
}

function configuration(dice: Dice, care: number): JsonObject {
  const weight = dice.pick([1, 1, 2, 3, -1, 0, 10]);
  if (!dice.chance(care)) {
    return dice.pick<JsonObject>([
      { weight },
      { weight, scoreCoordinate: { builtIn: "Sideways" } },
      { weight: 11, scoreCoordinate: { builtIn: "Balance" } },
      { weight, scoreCoordinate: { type: "AddOn" } },
    ]);
  }
  if (dice.chance(0.6)) return { weight, scoreCoordinate: { type: "BuiltIn", builtIn: dice.pick(BUILT_IN) } };
  const addOn = { resourceName: dice.pick(RESOURCES), scoreName: dice.pick(SCORES) };
  return { ...(dice.chance(0.7) && { weight }), scoreCoordinate: { type: "AddOn", addOn } };
}

function spread(dice: Dice, care: number): JsonObject {
  const isLabel = dice.chance(0.7);
  return {
    topologyKey: dice.pick([...(isLabel ? LABELS : CLAIMS).keys(), "missing"]),
    topologyKeyType: dice.chance(care) ? (isLabel ? "Label" : "Claim") : "Sideways",
    ...(dice.chance(0.5) && { maxSkew: dice.chance(care) ? dice.between(1, 3) : 0 }),
    ...(dice.chance(0.6) && {
      whenUnsatisfiable: dice.chance(care) ? dice.pick(["DoNotSchedule", "ScheduleAnyway"]) : "Sideways",
    }),
  };
}

function toleration(dice: Dice, care: number): JsonObject {
  const effect = dice.pick(["", "", "NoSelect", "PreferNoSelect", "NoSelectIfNew"]);
  const time = { ...(dice.chance(0.6) && { tolerationSeconds: dice.pick([0, 10, 60, 100, 200, -5]) }) };
  if (!dice.chance(care)) {
    return dice.pick<JsonObject>([
      { operator: "Equal", value: "x" },
      { operator: "Exists", value: "x" },
      { key: "gpu", operator: "Near" },
      { key: "gpu", operator: "Exists", effect: "Sideways" },
    ]);
  }
  const key = dice.pick(TAINT_KEYS);
  return dice.pick<JsonObject>([
    { key, effect, value: dice.pick(["", "a"]), ...time },
    { key, effect, operator: "Equal", value: "a", ...time },
    { key, effect, operator: "Exists", ...time },
    { effect, operator: "Exists", ...time },
  ]);
}

function groupStrategy(dice: Dice, care: number): JsonObject {
  const size: Json = dice.chance(care) ? dice.pick<Json>(["100%", "50%", "30%", "7%", 1, 2, 3, 500]) : "abc";
  return {
    ...(dice.chance(0.7) && { clustersPerDecisionGroup: size }),
    decisionGroups: dice.times(0, 3, () => ({
      groupName: dice.pick(["canary", "second"]),
      groupClusterSelector: {
        ...(dice.chance(0.7) && { labelSelector: labelSelector(dice, care) }),
        ...(dice.chance(0.3) && { claimSelector: { matchExpressions: requirements(dice, CLAIMS, care) } }),
      },
    })),
  };
}
