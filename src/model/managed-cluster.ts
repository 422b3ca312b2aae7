// Which clusters are there, and what is known about each? OCM's ManagedCluster. There may be a hundred thousand of
// them, so everything here refers to parts of the document; nothing is copied.

import type { Condition } from "./condition.ts";
import type { JsonObject } from "./json.ts";
import type { TextMap } from "./labels.ts";
import type { NamedObject } from "./object.ts";

/** A claim: a fact that a cluster reports about itself. */
export interface ClusterClaim {
  readonly name: string;
  readonly value: string;
}

/** A taint excludes placements that do not tolerate it. */
export interface Taint {
  readonly key: string;
  readonly value: string;
  /** NoSelect, PreferNoSelect or NoSelectIfNew. */
  readonly effect: string;
  /** RFC 3339; undefined if not stated. */
  readonly timeAdded?: string | undefined;
}

/** Amounts of resources, as written: `cpu: 8` or `memory: 32Gi`. */
export interface Quantities {
  readonly [resource: string]: string | number | bigint;
}

/** A cluster of the fleet. */
export interface ManagedCluster extends NamedObject {
  readonly labels: TextMap;
  /** In the order of the document; for duplicate names, the later counts. */
  readonly claims: readonly ClusterClaim[];
  readonly taints: readonly Taint[];
  readonly allocatable: Quantities;
  readonly capacity: Quantities;
  /** `v1.31.0`, as the cluster reports it. */
  readonly kubernetesVersion?: string | undefined;
  readonly conditions: readonly Condition[];
  /** It is being deleted. */
  readonly terminating: boolean;
  /** The object as given: the input of expressions. */
  readonly object: JsonObject;
}
