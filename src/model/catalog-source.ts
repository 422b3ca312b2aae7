// From where does a cluster take its catalogs? OLM v0's CatalogSource and OLM v1's ClusterCatalog.

import type { Condition } from "./condition.ts";
import type { TextMap } from "./labels.ts";
import type { Place } from "./place.ts";

/** A catalog of OLM v0, as the cluster knows it; its content is given separately. */
export interface CatalogSource {
  readonly place: Place;
  readonly namespace: string;
  readonly name: string;
  /** The higher is asked first; 0 if it is not said. */
  readonly priority: number;
  /** grpc, configmap or internal. */
  readonly sourceType: string;
  readonly image?: string | undefined;
  readonly address?: string | undefined;
  /** The ConfigMap that holds the catalog, for the source type configmap. */
  readonly configMap?: string | undefined;
  /** The last state that was seen of the connection: READY, CONNECTING, TRANSIENT_FAILURE, IDLE or SHUTDOWN. */
  readonly connectionState?: string | undefined;
  /** What OLM says is wrong with it. */
  readonly message?: string | undefined;
}

/** A catalog of OLM v1. */
export interface ClusterCatalog {
  readonly place: Place;
  readonly name: string;
  readonly labels: TextMap;
  /** The higher is preferred; 0 if it is not said. */
  readonly priority: number;
  readonly image?: string | undefined;
  /** The image with its digest, as it was last resolved. */
  readonly resolvedImage?: string | undefined;
  /** Available, or Unavailable when an administrator has switched it off. */
  readonly availabilityMode: string;
  readonly conditions: readonly Condition[];
}
