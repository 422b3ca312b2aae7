// What might a fleet look like? Small random fleets of manifests: clusters with labels, claims, taints, amounts and scores
// that expire, sets of every kind, bindings, Placements, and what was decided before, by them and by others.

import { Timestamp } from "../../src/cel/value/timestamp.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { Dice } from "./dice.ts";
import {
  addOnScore,
  clusterSet,
  decision,
  identityOf,
  managedCluster,
  placement,
  SET_LABEL,
  setBinding,
} from "./placement-fleet.ts";
import {
  CLAIMS,
  LABELS,
  labelSelector,
  placementSpec,
  RESOURCES,
  SCORES,
  SETS,
  TAINT_KEYS,
} from "./placement-spec-generator.ts";

/** A fleet at a moment: manifests by {@link identityOf}. */
export interface PlacementWorld {
  readonly seed: number;
  readonly manifests: ReadonlyMap<string, JsonObject>;
  readonly now: Timestamp;
}

/** The moment at which every world begins: half a second past midnight. */
export const START: Timestamp = new Timestamp(Date.UTC(2026, 0, 1) / 1000, 500_000_000);

const NAMESPACES = ["ns1", "ns2"];

/** The names that clusters may have. */
export const CLUSTERS: readonly string[] = [
  ...Array.from({ length: 12 }, (_, index) => `c${index + 1}`),
  "c-1",
  "c.3",
  "constructor",
  "__proto__",
];

/** The world of a seed. */
export function generatePlacementWorld(seed: number): PlacementWorld {
  const dice = new Dice(seed);
  const clusters = dice.some(CLUSTERS, dice.pick([0.2, 0.5, 0.8])).slice(0, 12);
  const names = clusters.length > 0 ? clusters : ["c1"];
  const manifests = [
    ...names.map((name) => anyCluster(dice, name)),
    ...names.flatMap((name) => RESOURCES.filter(() => dice.chance(0.5)).map((one) => anyScore(dice, name, one))),
    ...SETS.filter((name) => dice.chance(name === "broken" || name === "odd" ? 0.1 : 0.8)).map((name) =>
      anySet(dice, name),
    ),
    ...NAMESPACES.flatMap((one) => dice.some([...SETS, "missing"], 0.6).map((name) => setBinding(one, name))),
    ...dice.times(1, 3, () => anyPlacement(dice, dice.pick([0.9, 0.99, 1]))),
    ...dice.times(0, 8, () => anyDecision(dice)),
  ];
  return { seed, manifests: new Map(manifests.map((manifest) => [identityOf(manifest), manifest])), now: START };
}

/** A random cluster with this name. */
export function anyCluster(dice: Dice, name: string): JsonObject {
  const set: JsonObject = dice.chance(0.7) ? { [SET_LABEL]: dice.pick(["alpha", "alpha", "beta"]) } : {};
  const isTerminating = dice.chance(0.08);
  const isKnown = dice.chance(0.7);
  return managedCluster(
    name,
    { ...set, ...someOf(dice, LABELS) },
    {
      metadata: isTerminating ? { deletionTimestamp: "2025-12-31T00:00:00Z" } : {},
      spec: {
        hubAcceptsClient: dice.chance(0.8),
        taints: dice.chance(0.4) ? dice.times(0, 2, () => anyTaint(dice)) : [],
      },
      status: {
        version: { kubernetes: dice.pick(["v1.29.1", "v1.30.0", "v1.31.0"]) },
        clusterClaims: anyClaims(dice),
        conditions: [available(dice)],
        ...(isKnown && { allocatable: anyAmounts(dice, 0.9), capacity: anyAmounts(dice, 0.9) }),
      },
    },
  );
}

/** The health of a cluster, and since when. */
export function available(dice: Dice): JsonObject {
  return {
    type: "ManagedClusterConditionAvailable",
    status: dice.pick(["True", "True", "Unknown"]),
    reason: "Reported",
    message: "",
    lastTransitionTime: moment(dice, -1000, 0),
  };
}

function someOf(dice: Dice, all: ReadonlyMap<string, readonly string[]>): JsonObject {
  const keys = dice.some([...all.keys(), "__proto__"], 0.6);
  return Object.fromEntries(keys.map((key) => [key, dice.pick(all.get(key) ?? ["yes"])]));
}

/** Claims; one may come twice. */
export function anyClaims(dice: Dice): readonly JsonObject[] {
  const claims = (): readonly JsonObject[] =>
    Object.entries(someOf(dice, CLAIMS)).map(([name, value]) => ({ name, value }));
  return dice.chance(0.1) ? [...claims(), ...claims()] : claims();
}

/** A taint of any kind. */
export function anyTaint(dice: Dice): JsonObject {
  return {
    key: dice.pick(TAINT_KEYS),
    value: dice.pick(["", "a", "a", "b"]),
    effect: dice.pick(["NoSelect", "NoSelect", "NoSelect", "PreferNoSelect", "NoSelectIfNew"]),
    ...(dice.chance(0.85) && { timeAdded: moment(dice, -120, 10) }),
  };
}

/** Amounts of cpu and memory, each with this probability. */
export function anyAmounts(dice: Dice, probability: number): JsonObject {
  const cpu: readonly Json[] = ["2", "4", 8, "1500m", "700m", "3", "10"];
  const memory: readonly Json[] = ["1Gi", "1536Mi", "2Gi", "50", "80", "4G", 0];
  return {
    ...(dice.chance(probability) && { cpu: dice.pick(cpu) }),
    ...(dice.chance(probability) && { memory: dice.pick(memory) }),
  };
}

/** The scores of a cluster. */
export function anyScore(dice: Dice, cluster: string, resource: string): JsonObject {
  const scores = dice.some(SCORES, 0.8).map((name) => [name, dice.pick([-100, 0, 10, 30, 30, 70, 100])]);
  const end = dice.chance(0.6) ? moment(dice, -50, 200) : undefined;
  return addOnScore(cluster, resource, Object.fromEntries(scores) as Record<string, number>, end);
}

/** A moment this number of seconds before or after the beginning. */
function moment(dice: Dice, least: number, most: number): string {
  return String(new Timestamp(START.seconds + dice.between(least, most), dice.chance(0.2) ? 250_000_000 : 0));
}

/** The set with this name; each has its own kind. */
export function anySet(dice: Dice, name: string): JsonObject {
  const byLabels = (labelSelector: JsonObject) => clusterSet(name, { selectorType: "LabelSelector", labelSelector });
  if (name === "all") return byLabels({});
  if (name === "east") return byLabels(dice.chance(0.5) ? { matchLabels: { region: "east" } } : labelSelector(dice, 1));
  if (name === "broken") return byLabels({ matchExpressions: [{ key: "env", operator: "In", values: [] }] });
  if (name === "none") return clusterSet(name, { selectorType: "LabelSelector" });
  if (name === "odd") return clusterSet(name, { selectorType: "Sideways" });
  return dice.chance(0.5) ? clusterSet(name) : clusterSet(name, { selectorType: "ExclusiveClusterSetLabel" });
}

/** A Placement; `care` is the probability that a part is valid. */
export function anyPlacement(dice: Dice, care: number): JsonObject {
  const annotation = "cluster.open-cluster-management.io/experimental-scheduling-disable";
  const metadata = {
    generation: dice.between(1, 5),
    ...(dice.chance(0.05) && { annotations: { [annotation]: dice.pick(["true", "false"]) } }),
    ...(dice.chance(0.03) && { deletionTimestamp: "2025-12-31T00:00:00Z" }),
  };
  return placement(dice.pick(NAMESPACES), anyOwner(dice), placementSpec(dice, care), metadata);
}

function anyOwner(dice: Dice): string {
  return dice.chance(0.02) ? "p".repeat(64) : dice.pick(["p1", "p2"]);
}

/** A slice of decisions: of one of the Placements, of one that is gone, or of an unknown one. */
export function anyDecision(dice: Dice): JsonObject {
  const owner = dice.pick(["p1", "p1", "p2", "gone", undefined]);
  const name = `${owner ?? "somebody"}-decision-${dice.between(1, 3)}`;
  const group = { name: dice.pick(["", "canary"]), index: dice.between(0, 1) };
  return decision(dice.pick(NAMESPACES), name, owner, dice.some([...CLUSTERS, "gone"], 0.3), group);
}
