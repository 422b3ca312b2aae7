// Where does a cluster get its catalogs from? OLM v0's CatalogSource and OLM v1's ClusterCatalog.

import type { Condition } from "./condition.ts";
import type { TextMap } from "./labels.ts";
import type { NamedObject, NamespacedObject } from "./object.ts";

/** A catalog of OLM v0, as an object of the cluster; its content is given separately. */
export interface CatalogSource extends NamespacedObject {
  /** Higher comes first; default 0. */
  readonly priority: number;
  /** grpc, configmap or internal. */
  readonly sourceType: string;
  readonly image?: string | undefined;
  readonly address?: string | undefined;
  /** The names of pull secrets in its namespace. */
  readonly secrets?: readonly string[];
  /** The ConfigMap that holds the catalog, for the source type configmap. */
  readonly configMap?: string | undefined;
  /** The last observed state of the connection: READY, CONNECTING, TRANSIENT_FAILURE, IDLE or SHUTDOWN. */
  readonly connectionState?: string | undefined;
  /** OLM's error message. */
  readonly message?: string | undefined;
}

/** A catalog of OLM v1. */
export interface ClusterCatalog extends NamedObject {
  readonly labels: TextMap;
  /** Higher is preferred; default 0. */
  readonly priority: number;
  readonly image?: string | undefined;
  /** The last resolved image with its digest. */
  readonly resolvedImage?: string | undefined;
  /** Where catalogd serves it, as the cluster's services reach it. */
  readonly baseUrl?: string | undefined;
  /** Available, or Unavailable if an administrator has disabled it. */
  readonly availabilityMode: string;
  readonly conditions: readonly Condition[];
}
