// What does a Placement ask for? OCM's object, as written, with the defaults of its API. Nothing
// is validated here: an unknown prioritizer or a negative number is kept, so that the engine can report what is
// misconfigured.

import type { TextMap } from "./labels.ts";
import type { NamespacedObject } from "./object.ts";
import { inside, type Path, type Place } from "./place.ts";
import type { LabelSelector, SelectorRequirement } from "./selector.ts";

/** A rule over labels, claims and expressions, all of which must hold. An absent part holds for every cluster. */
export interface ClusterSelector {
  readonly labelSelector?: LabelSelector | undefined;
  readonly claimRequirements: readonly SelectorRequirement[];
  readonly celExpressions: readonly string[];
}

/** A condition for a cluster to be feasible; at least one of a Placement's predicates must hold. */
export interface Predicate {
  readonly place: Place;
  readonly requiredClusterSelector: ClusterSelector;
}

/** The source of a score. */
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

/** One score and its weight. */
export interface PrioritizerConfiguration {
  readonly place: Place;
  readonly scoreCoordinate?: ScoreCoordinate | undefined;
  readonly weight: number;
}

/** How feasible clusters are ranked. */
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

/** A taint that a Placement tolerates. */
export interface Toleration {
  readonly place: Place;
  /** Empty: every key. */
  readonly key: string;
  /** Equal or Exists. */
  readonly operator: string;
  readonly value: string;
  /** Empty: every effect. */
  readonly effect: string;
  /** For how long after the taint was added; undefined means forever. */
  readonly tolerationSeconds?: number | undefined;
}

/** A named group of selected clusters, chosen by labels and claims. */
export interface DecisionGroup extends Pick<ClusterSelector, "labelSelector" | "claimRequirements"> {
  readonly place: Place;
  readonly groupName: string;
}

/** How the selected clusters are split into groups. */
export interface GroupStrategy {
  readonly decisionGroups: readonly DecisionGroup[];
  /** A number of clusters, or a percentage such as `25%`. */
  readonly clustersPerDecisionGroup: number | string;
}

/** A key that the API does not have. */
export interface UnknownField {
  /** Relative to the object. */
  readonly path: Path;
  /** What to write instead, if it can be guessed. */
  readonly hint?: string | undefined;
}

/** A request for clusters. */
export interface Placement extends NamespacedObject {
  readonly annotations: TextMap;
  readonly generation: number;
  /** Empty: every set that is bound to the namespace. */
  readonly clusterSets: readonly string[];
  /** Undefined: every eligible cluster. */
  readonly numberOfClusters?: number | undefined;
  readonly predicates: readonly Predicate[];
  readonly prioritizerPolicy: PrioritizerPolicy;
  readonly spreadConstraints: readonly SpreadConstraint[];
  readonly tolerations: readonly Toleration[];
  readonly groupStrategy: GroupStrategy;
  /** ClusterName or Score: the order inside decisions. */
  readonly sortBy: string;
  /** Keys of its spec that the API does not have. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
  /** A number and h, m or s: how often changes of scores alone are written. */
  readonly scoreRateLimit: string;
  /** When scores were last written to its decisions: RFC 3339, as written; undefined if never. */
  readonly lastScoreUpdateTime?: string | undefined;
  readonly terminating: boolean;
}

/** The place of a predicate's celExpression, from 0. */
export function celExpressionPlace(predicate: Predicate, index: number): Place {
  return inside(predicate.place, "requiredClusterSelector", "celSelector", "celExpressions", index);
}
