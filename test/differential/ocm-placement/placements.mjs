// What do random Placements ask for? Of everything that OCM reads, with mistakes now and then.
import { randomExpression } from "./expressions.mjs";

const RESOURCES = ["load", "latency", "nobody"];

/** A random Placement of one of the namespaces, with a unique name. */
export function randomPlacement(dice, name, namespaces, sets) {
  const { pick, chance } = dice;
  const predicates = chance(0.7) ? dice.several(1, pick([1, 2, 2]), () => randomPredicate(dice)) : [];
  const tolerations = chance(0.55) ? dice.several(1, 3, () => randomToleration(dice)) : [];
  const decisionStrategy = chance(0.4) ? { groupStrategy: randomGroups(dice) } : undefined;
  const spec = {
    ...(chance(0.2) && { clusterSets: dice.some([...sets, "nowhere"], 0.5) }),
    ...(chance(0.55) && { numberOfClusters: chance(0.02) ? -1 : dice.between(0, 7) }),
    ...(predicates.length > 0 && { predicates }),
    ...(chance(0.7) && { prioritizerPolicy: randomPolicy(dice) }),
    ...(tolerations.length > 0 && { tolerations }),
    ...(decisionStrategy && { decisionStrategy }),
  };
  return {
    namespace: chance(0.02) ? "none" : pick(namespaces),
    name,
    ...(chance(0.03) && { disable: pick(["true", "false"]) }),
    ...(chance(0.01) && { terminating: true }),
    spec,
  };
}

/** In the short form of the table: see manifests.mjs. */
function randomPredicate(dice) {
  const { chance } = dice;
  const claims = chance(0.2) ? dice.several(1, 1, () => requirement(dice, ["region", "product", "info"])) : [];
  const cel = chance(0.65) ? dice.several(1, chance(0.25) ? 2 : 1, () => randomExpression(dice)) : [];
  return {
    ...(chance(0.35) && { labels: randomLabelSelector(dice) }),
    ...(claims.length > 0 && { claims }),
    ...(cel.length > 0 && { cel }),
  };
}

/** A random label selector. */
export function randomLabelSelector(dice) {
  const { chance, pick } = dice;
  const requirements = dice.several(chance(0.6) ? 0 : 1, chance(0.2) ? 2 : 1, () =>
    requirement(dice, ["env", "tier", "zone"]),
  );
  return {
    ...(chance(0.5) && { matchLabels: { env: pick(["prod", "prod", "dev", ""]) } }),
    ...(requirements.length > 0 && { matchExpressions: requirements }),
  };
}

const VALUES = { env: ["prod", "dev"], tier: ["gold", "silver"], zone: ["a", "b"], region: ["eu", "us"] };

function requirement(dice, keys) {
  const { pick, chance } = dice;
  const key = pick(keys);
  if (chance(0.02)) return pick([WRONG.operator, WRONG.noValues, WRONG.values, WRONG.key, WRONG.value])(key);
  const operator = pick(["In", "In", "NotIn", "Exists", "DoesNotExist"]);
  const isList = operator === "In" || operator === "NotIn";
  return { key, operator, ...(isList && { values: [pick(VALUES[key] ?? ["Other", "Harbour"])] }) };
}

const WRONG = {
  operator: (key) => ({ key, operator: "Equals", values: ["x"] }),
  noValues: (key) => ({ key, operator: "In" }),
  values: (key) => ({ key, operator: "Exists", values: ["x"] }),
  key: () => ({ key: "not a key", operator: "Exists" }),
  value: (key) => ({ key, operator: "In", values: ["not a value!"] }),
};

const KEYS = ["gpu", "edge", "unreachable"];

function randomToleration(dice) {
  const { pick, chance } = dice;
  if (chance(0.02))
    return pick([
      { operator: "Equal", value: "x" },
      { key: "gpu", operator: "Exists", value: "x" },
    ]);
  const operator = pick(["Exists", "Exists", "Equal", undefined, chance(0.1) ? "Matches" : "Exists"]);
  const hasValue = operator !== "Exists" && chance(0.6);
  return {
    ...((operator !== "Exists" || chance(0.8)) && { key: pick(KEYS) }),
    ...(operator && { operator }),
    ...(hasValue && { value: pick(["true", "x"]) }),
    ...(chance(0.3) && { effect: pick(["NoSelect", "NoSelectIfNew", "PreferNoSelect"]) }),
    ...(chance(0.4) && { tolerationSeconds: pick([0, 60, 300, 3600, 90_000, -5]) }),
  };
}

function randomPolicy(dice) {
  const { pick, chance } = dice;
  const configurations = dice.several(chance(0.9) ? 1 : 0, 4, () => randomConfiguration(dice));
  return {
    ...(chance(0.6) && { mode: chance(0.03) ? "Exactly" : pick(["Additive", "Exact", "Exact"]) }),
    ...(configurations.length > 0 && { configurations }),
  };
}

function randomConfiguration(dice) {
  const { pick, chance } = dice;
  const weight = chance(0.9) ? { weight: pick([1, 1, 2, 3, -1, -2, 10, -10, 0]) } : {};
  if (chance(0.01)) return weight;
  if (chance(0.4)) {
    const addOn = { resourceName: pick(RESOURCES), scoreName: pick(["cpu", "mem", "eu"]) };
    return { scoreCoordinate: { type: "AddOn", ...(chance(0.98) && { addOn }) }, ...weight };
  }
  const builtIn = chance(0.02)
    ? pick(["Spread", "ResourceRatioCPU", ""])
    : pick(["Balance", "Steady", "ResourceAllocatableCPU", "ResourceAllocatableMemory"]);
  return { scoreCoordinate: { ...(chance(0.7) && { type: "BuiltIn" }), builtIn }, ...weight };
}

function randomGroups(dice) {
  const { pick, chance } = dice;
  const decisionGroups = dice.several(0, 3, (index) => ({
    groupName: `group-${index}`,
    groupClusterSelector: chance(0.7)
      ? { labelSelector: randomLabelSelector(dice) }
      : { claimSelector: { matchExpressions: [requirement(dice, ["region", "product"])] } },
  }));
  const size = chance(0.03)
    ? pick(["2", "some", "x%", "0%", "150%", 0])
    : pick([1, 2, 3, "25%", "34%", "50%", "70%", "100%"]);
  return {
    ...(chance(0.8) && { clustersPerDecisionGroup: size }),
    ...(decisionGroups.length > 0 && { decisionGroups }),
  };
}
