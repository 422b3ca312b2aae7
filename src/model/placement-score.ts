// How good is a cluster, in somebody else's eyes? OCM's AddOnPlacementScore.

import type { Place } from "./place.ts";

/** One named score, from -100 to 100. */
export interface ClusterScore {
  readonly name: string;
  readonly value: number;
}

/** Scores of one cluster, by one add-on. */
export interface AddOnPlacementScore {
  readonly place: Place;
  /** The cluster that is scored. */
  readonly namespace: string;
  readonly name: string;
  readonly scores: readonly ClusterScore[];
  /** RFC 3339, as written; nothing means that they never expire. */
  readonly validUntil?: string | undefined;
}
