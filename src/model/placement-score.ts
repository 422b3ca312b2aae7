// How does an add-on score a cluster? OCM's AddOnPlacementScore.

import type { NamespacedObject } from "./object.ts";

/** One named score, from -100 to 100. */
export interface ClusterScore {
  readonly name: string;
  readonly value: number;
}

/** The scores of one cluster, by one add-on. The namespace is the name of the cluster. */
export interface AddOnPlacementScore extends NamespacedObject {
  readonly scores: readonly ClusterScore[];
  /** RFC 3339, as written; undefined means that they never expire. */
  readonly validUntil?: string | undefined;
}
