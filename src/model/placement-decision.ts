// Which clusters are selected so far? OCM's PlacementDecision: a slice of at most 100 of them.

import type { TextMap } from "./labels.ts";
import type { NamespacedObject } from "./object.ts";

/** One selected cluster. */
export interface ClusterDecision {
  readonly clusterName: string;
  readonly reason: string;
  readonly score?: number | undefined;
}

/** A slice of the clusters that a Placement has selected. */
export interface PlacementDecision extends NamespacedObject {
  /** The labels name its Placement and decision group. */
  readonly labels: TextMap;
  readonly decisions: readonly ClusterDecision[];
  /** It is being deleted, and a finalizer keeps it. */
  readonly terminating?: boolean | undefined;
}
