// Onto which clusters should something go? OCM's Placement, as written, with the defaults that its API fills in. Nothing
// is judged here: an unknown prioritizer or a negative number is kept, so that the engine can say what is misconfigured.

import type { TextMap } from "./labels.ts";
import { inside, type Path, type Place } from "./place.ts";
import type { LabelSelector, SelectorRequirement } from "./selector.ts";

/** A rule over labels, claims and expressions, all of which must hold. What is absent holds for every cluster. */
export interface ClusterSelector {
  readonly labelSelector?: LabelSelector | undefined;
  readonly claimRequirements: readonly SelectorRequirement[];
  readonly celExpressions: readonly string[];
}

/** One way for a cluster to be eligible; a Placement needs any of its predicates to hold. */
export interface Predicate {
  readonly place: Place;
  readonly requiredClusterSelector: ClusterSelector;
}

/** Where a score comes from. */
export interface ScoreCoordinate {
  /** BuiltIn or AddOn. */
  readonly type: string;
  /** Balance, Steady, ResourceAllocatableCPU, ResourceAllocatableMemory, Spread. */
  readonly builtIn?: string | undefined;
  readonly addOn?: AddOnScore | undefined;
}

/** An entry of an AddOnPlacementScore. */
export interface AddOnScore {
  readonly resourceName: string;
  readonly scoreName: string;
}

/** One score and how much it counts. */
export interface PrioritizerConfiguration {
  readonly place: Place;
  readonly scoreCoordinate?: ScoreCoordinate | undefined;
  readonly weight: number;
}

/** How eligible clusters are ranked. */
export interface PrioritizerPolicy {
  /** Additive (to the defaults) or Exact (only what is listed). */
  readonly mode: string;
  readonly configurations: readonly PrioritizerConfiguration[];
}

/** How evenly clusters are chosen over the values of a label or claim. */
export interface SpreadConstraint {
  readonly place: Place;
  readonly topologyKey: string;
  /** Label or Claim. */
  readonly topologyKeyType: string;
  readonly maxSkew: number;
  /** DoNotSchedule or ScheduleAnyway. */
  readonly whenUnsatisfiable: string;
}

/** A taint that a Placement puts up with. */
export interface Toleration {
  readonly place: Place;
  /** Empty: every key. */
  readonly key: string;
  /** Equal or Exists. */
  readonly operator: string;
  readonly value: string;
  /** Empty: every effect. */
  readonly effect: string;
  /** For how long after the taint was added; nothing means for ever. */
  readonly tolerationSeconds?: number | undefined;
}

/** A named part of the chosen clusters, picked by labels and claims. */
export interface DecisionGroup {
  readonly place: Place;
  readonly groupName: string;
  readonly labelSelector?: LabelSelector | undefined;
  readonly claimRequirements: readonly SelectorRequirement[];
}

/** How the chosen clusters are cut into groups. */
export interface GroupStrategy {
  readonly decisionGroups: readonly DecisionGroup[];
  /** A number of clusters, or a share of all such as `25%`. */
  readonly clustersPerDecisionGroup: number | string;
}

/** A key that the API does not have. */
export interface UnknownField {
  /** From the object on. */
  readonly path: Path;
  /** What to write instead, as far as that can be guessed. */
  readonly hint?: string | undefined;
}

/** A request for clusters. */
export interface Placement {
  readonly place: Place;
  readonly namespace: string;
  readonly name: string;
  readonly annotations: TextMap;
  readonly generation: number;
  /** Empty: every set that is bound to the namespace. */
  readonly clusterSets: readonly string[];
  /** Nothing: every eligible cluster. */
  readonly numberOfClusters?: number | undefined;
  readonly predicates: readonly Predicate[];
  readonly prioritizerPolicy: PrioritizerPolicy;
  readonly spreadConstraints: readonly SpreadConstraint[];
  readonly tolerations: readonly Toleration[];
  readonly groupStrategy: GroupStrategy;
  /** ClusterName or Score: the order inside decisions. */
  readonly sortBy: string;
  /** Keys beneath its spec that the API does not have. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
  /** A number and h, m or s: how often changes of scores alone are written. */
  readonly scoreRateLimit: string;
  /** When scores were last written to its decisions: RFC 3339, as written; nothing if they never were. */
  readonly lastScoreUpdateTime?: string | undefined;
  readonly terminating: boolean;
}

/** The place of a predicate's celExpression, counted from 0. */
export function celExpressionPlace(predicate: Predicate, index: number): Place {
  return inside(predicate.place, "requiredClusterSelector", "celSelector", "celExpressions", index);
}
