// Which clusters belong together, and which namespaces can use them? OCM's ManagedClusterSet and
// ManagedClusterSetBinding.

import type { NamedObject, NamespacedObject } from "./object.ts";
import type { LabelSelector } from "./selector.ts";

/** A named set of clusters. */
export interface ManagedClusterSet extends NamedObject {
  /** ExclusiveClusterSetLabel (a label of the cluster names its set) or LabelSelector. */
  readonly selectorType: string;
  readonly labelSelector?: LabelSelector | undefined;
}

/** The permission for a namespace to place onto a set; its name is that of the set. */
export interface ManagedClusterSetBinding extends NamespacedObject {
  /** Should equal the name. */
  readonly clusterSet?: string | undefined;
}
