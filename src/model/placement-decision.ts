// Which clusters were chosen so far? OCM's PlacementDecision: a slice of at most 100 of them.

import type { TextMap } from "./labels.ts";
import type { Place } from "./place.ts";

/** One chosen cluster. */
export interface ClusterDecision {
  readonly clusterName: string;
  readonly reason: string;
  readonly score?: number | undefined;
}

/** A slice of the clusters that a Placement has chosen. */
export interface PlacementDecision {
  readonly place: Place;
  readonly namespace: string;
  readonly name: string;
  /** They say which Placement it belongs to, and which decision group. */
  readonly labels: TextMap;
  readonly decisions: readonly ClusterDecision[];
}
