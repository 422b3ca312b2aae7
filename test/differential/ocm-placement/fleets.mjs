// Which clusters, sets, decisions and scores does a random fleet have? Small ones, so that each rule decides something.
import { diceOf } from "./dice.mjs";
import { randomLabelSelector, randomPlacement } from "./placements.mjs";

const GROUP = "cluster.open-cluster-management.io";
const NAMESPACES = ["north", "north", "north", "south"];

/** A random fleet with this number of Placements; the same seed gives the same fleet. */
export function randomFleet(seed, placementCount) {
  const dice = diceOf(seed);
  const { pick, chance } = dice;
  const names = dice.several(4, 9, (index) => `c${index < 3 ? index + 1 : index + 7}`);
  const sets = randomSets(dice);
  const setNames = Object.keys(sets);
  const placements = Array.from({ length: placementCount }, (_, index) =>
    randomPlacement(dice, `p${index}`, NAMESPACES, setNames),
  );
  return {
    clusters: Object.fromEntries(names.map((name) => [name, randomCluster(dice)])),
    sets,
    bindings: [
      ...setNames.filter((name) => name === "global" || chance(0.7)).map((name) => ["north", name]),
      ...setNames.filter(() => chance(0.7)).map((name) => ["south", name]),
      ...(chance(0.3) ? [["south", "vanished"]] : []),
    ],
    decisions: placements
      .flatMap((placement) => randomDecisions(dice, placement, names))
      .concat(chance(0.4) ? [[pick(["north", "other"]), "loose", null, dice.some(names, 0.4)]] : []),
    scores: names.flatMap((name) => ["load", "latency"].flatMap((resource) => randomScores(dice, name, resource))),
    placements,
  };
}

function randomSets(dice) {
  const { chance, pick } = dice;
  return {
    global: { selectorType: "LabelSelector", labelSelector: {} },
    blue: pick([{ selectorType: "ExclusiveClusterSetLabel" }, {}]),
    ...(chance(0.5) && { some: { selectorType: "LabelSelector", labelSelector: randomLabelSelector(dice) } }),
    ...(chance(0.1) && { nothing: { selectorType: "LabelSelector" } }),
    ...(chance(0.03) && { odd: { selectorType: "Regex" } }),
  };
}

function randomCluster(dice) {
  const { pick, chance } = dice;
  const labels = {
    ...(chance(0.85) && { env: pick(["prod", "prod", "dev", "test"]) }),
    ...(chance(0.4) && { tier: pick(["gold", "silver", ""]) }),
    ...(chance(0.4) && { zone: pick(["a", "b"]) }),
    ...(chance(0.5) && { version: pick(["1.30.0", "1.30.2", "1.31.1", "1.31.0-rc.1", "v1.31.0", "1.31"]) }),
    ...(chance(0.3) && { [`${GROUP}/clusterset`]: pick(["blue", "red"]) }),
  };
  const info = pick(['{"nodes":3,"gpu":true}', '{"nodes":6}', "[]", "{"]);
  const claims = [
    ...(chance(0.7) ? [["region", pick(["eu", "us"])]] : []),
    ...(chance(0.5) ? [["product", pick(["Harbour", "Other"])]] : []),
    ...(chance(0.4) ? [["info", info]] : []),
    ...(chance(0.25) ? [["region", pick(["eu", "us"])]] : []),
  ];
  const taints = chance(0.3) ? dice.several(1, pick([1, 1, 2]), () => randomTaint(dice)) : [];
  const cpu = pick(["4", "8", "7500m", "500m", "0.5", 6, "12", "7", "9", "10", "3"]);
  const memory = pick(["16Gi", "1024Mi", "8G", "17179869184", "1e9", "5.5Gi", "32Gi", "0"]);
  return {
    ...((Object.keys(labels).length > 0 || chance(0.5)) && { labels }),
    ...(claims.length > 0 && { claims }),
    ...(taints.length > 0 && { taints }),
    ...(chance(0.85) && { allocatable: { cpu, ...(chance(0.9) && { memory }) } }),
    ...(chance(0.85) && { capacity: { cpu: "16", ...(chance(0.9) && { memory: "64Gi" }), pods: 110 } }),
    ...(chance(0.8) && { version: pick(["v1.30.0", "v1.30.4", "v1.31.0", "v1.31.2-eks-1", "v1.32.0+abc"]) }),
    ...(chance(0.8) && { available: pick(["True", "True", "False", "Unknown"]) }),
    ...(chance(0.1) && { accepted: false }),
    ...(chance(0.05) && { terminating: true }),
  };
}

function randomTaint(dice) {
  const { pick, chance } = dice;
  return {
    key: pick(["gpu", "edge", "unreachable"]),
    ...(chance(0.5) && { value: pick(["true", "x"]) }),
    effect: pick(["NoSelect", "NoSelect", "NoSelectIfNew", "PreferNoSelect"]),
    ...(chance(0.75) && {
      timeAdded: pick([
        "2026-01-01T11:59:00Z",
        "2026-01-01T11:55:00Z",
        "2026-01-01T11:00:01Z",
        "2025-12-31T12:00:00Z",
        "2026-01-01T13:00:00+01:00",
      ]),
    }),
  };
}

/** What a Placement decided before: of these clusters or of some that are gone. */
function randomDecisions(dice, { namespace, name }, names) {
  const { chance } = dice;
  if (chance(0.55)) return [];
  const chosen = dice.some([...names, "gone"], 0.35);
  const label = chance(0.95) ? name : null;
  if (chance(0.9)) return [[namespace, `${name}-decision-1`, label, chosen]];
  return [
    [namespace, `${name}-decision-1`, label, chosen.slice(0, 1)],
    [namespace, `${name}-decision-2`, label, chosen.slice(1)],
  ];
}

function randomScores(dice, cluster, resource) {
  const { chance, pick } = dice;
  if (chance(0.35)) return [];
  const validUntil = pick([null, "2026-01-01T12:00:00Z", "2026-01-01T11:59:59Z", "2026-01-02T00:00:00Z"]);
  const scores = dice.some(resource === "load" ? ["cpu", "mem"] : ["eu"], 0.8);
  return [[cluster, resource, validUntil, scores.map((name) => [name, dice.between(-100, 100)])]];
}

const share = (clustersPerDecisionGroup) => ({ decisionStrategy: { groupStrategy: { clustersPerDecisionGroup } } });

/** More clusters than a PlacementDecision has room for, and shares that doubles do not hit. */
export const MANY = {
  many: 205,
  clusters: {},
  sets: {
    all: { selectorType: "LabelSelector", labelSelector: {} },
    shard: { selectorType: "LabelSelector", labelSelector: { matchLabels: { shard: "s0" } } },
  },
  bindings: [["north", "all"]],
  decisions: [["north", "grown-decision-1", "grown", ["m003", "m150"]]],
  scores: [],
  placements: [
    { name: "whole", spec: {} },
    { name: "grown", spec: { numberOfClusters: 101 } },
    { name: "seven", spec: { numberOfClusters: 100, ...share("7%") } },
    { name: "fourteen", spec: { numberOfClusters: 50, ...share("14%") } },
    { name: "half", spec: { numberOfClusters: 100, ...share("55%") } },
    {
      name: "canary",
      spec: {
        decisionStrategy: {
          groupStrategy: {
            clustersPerDecisionGroup: "60%",
            decisionGroups: [
              { groupName: "canary", groupClusterSelector: { labelSelector: { matchLabels: { shard: "s3" } } } },
            ],
          },
        },
      },
    },
  ].map((placement) => ({ namespace: "north", ...placement })),
};

/** Amounts whose shares doubles do not hit: 0.6 of the way is 19, not 20. */
export const SHARES = {
  clusters: Object.fromEntries(
    [50, 80, 90, 100, 57, 85].map((cpu, index) => [
      `c${index}`,
      { allocatable: { cpu, memory: `${(index * 7) % 11}Gi` }, capacity: { cpu: 100, memory: "10Gi" } },
    ]),
  ),
  sets: { all: { selectorType: "LabelSelector", labelSelector: {} } },
  bindings: [["north", "all"]],
  decisions: [],
  scores: [],
  placements: ["ResourceAllocatableCPU", "ResourceAllocatableMemory"].map((builtIn, index) => ({
    namespace: "north",
    name: `p${index}`,
    spec: {
      prioritizerPolicy: {
        mode: "Exact",
        configurations: [{ scoreCoordinate: { type: "BuiltIn", builtIn }, weight: 1 }],
      },
    },
  })),
};
