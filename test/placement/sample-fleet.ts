// A small hub, for tests of the placement engine: one set, bound to one namespace, with every cluster in it.
import { Timestamp } from "../../src/cel/value/timestamp.ts";
import type { ManagedCluster, Taint } from "../../src/model/managed-cluster.ts";
import type { Place } from "../../src/model/place.ts";
import type { Placement } from "../../src/model/placement.ts";
import type { PlacementDecision } from "../../src/model/placement-decision.ts";
import type { AddOnPlacementScore } from "../../src/model/placement-score.ts";
import type { FleetObjects } from "../../src/placement/engine.ts";

export const PLACE: Place = { source: "sample", line: 1, column: 1 };
export const NOW: Timestamp = new Timestamp(1_640_995_200, 0);

/** The time after this number of seconds. */
export function later(seconds: number): Timestamp {
  return new Timestamp(NOW.seconds + seconds, 0);
}

export function cluster(
  name: string,
  labels: Record<string, string> = {},
  taints: readonly Taint[] = [],
): ManagedCluster {
  return {
    place: PLACE,
    name,
    labels,
    claims: [],
    taints,
    allocatable: {},
    capacity: {},
    conditions: [],
    terminating: false,
    object: { metadata: { name, labels } },
  };
}

export function placement(name: string, more: Partial<Placement> = {}): Placement {
  return {
    place: PLACE,
    namespace: "ns",
    name,
    annotations: {},
    generation: 1,
    clusterSets: [],
    predicates: [],
    prioritizerPolicy: { mode: "Additive", configurations: [] },
    spreadConstraints: [],
    tolerations: [],
    groupStrategy: { decisionGroups: [], clustersPerDecisionGroup: "100%" },
    sortBy: "ClusterName",
    scoreRateLimit: "1m",
    terminating: false,
    ...more,
  };
}

/** A Placement of one predicate, with these expressions. */
export function asking(name: string, ...celExpressions: readonly string[]): Placement {
  return placement(name, {
    predicates: [{ place: PLACE, requiredClusterSelector: { claimRequirements: [], celExpressions } }],
  });
}

export function decision(name: string, owner: string | undefined, ...clusters: readonly string[]): PlacementDecision {
  return {
    place: PLACE,
    namespace: "ns",
    name,
    labels: owner === undefined ? {} : { "cluster.open-cluster-management.io/placement": owner },
    decisions: clusters.map((clusterName) => ({ clusterName, reason: "" })),
  };
}

export function score(clusterName: string, value: number, validUntil?: string): AddOnPlacementScore {
  return { place: PLACE, namespace: clusterName, name: "r", scores: [{ name: "s", value }], validUntil };
}

/** The hub with these in it. */
export function hub(more: Partial<FleetObjects>): FleetObjects {
  return {
    managedClusters: [],
    managedClusterSets: [
      {
        place: PLACE,
        name: "all",
        selectorType: "LabelSelector",
        labelSelector: { matchLabels: {}, matchExpressions: [] },
      },
    ],
    managedClusterSetBindings: [{ place: PLACE, namespace: "ns", name: "all" }],
    placements: [],
    placementDecisions: [],
    addOnPlacementScores: [],
    ...more,
  };
}
