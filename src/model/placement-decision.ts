// Which clusters are selected so far? OCM's PlacementDecision: a slice of at most 100 of them.

import { isList, isObject, type Json, own } from "./json.ts";
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
  /** The Placement that is its controller, by its owner references: it counts where the label is missing. */
  readonly owner?: string | undefined;
  readonly decisions: readonly ClusterDecision[];
  /** It is being deleted, and a finalizer keeps it. */
  readonly terminating?: boolean | undefined;
}

/** The name of the Placement that is the controller in a list of owner references. */
export function controllingPlacement(ownerReferences: Json | undefined): string | undefined {
  const owners = isList(ownerReferences) ? ownerReferences.filter(isObject) : [];
  const owner = owners.find(
    (one) =>
      own(one, "controller") === true &&
      own(one, "kind") === "Placement" &&
      String(own(one, "apiVersion")).startsWith("cluster.open-cluster-management.io/"),
  );
  const name = owner === undefined ? undefined : own(owner, "name");
  return typeof name === "string" ? name : undefined;
}
