// Who asked for which operator in OLM v1? Its ClusterExtension.

import type { Place } from "./place.ts";
import type { LabelSelector } from "./selector.ts";

/** The wish for a package on the whole cluster. */
export interface ClusterExtension {
  readonly place: Place;
  readonly name: string;
  /** The namespace that its workload is put into. */
  readonly installNamespace?: string | undefined;
  readonly packageName: string;
  /** A version or a range of versions, as written. */
  readonly version?: string | undefined;
  /** The channels to choose from; none means all. */
  readonly channels: readonly string[];
  /** The labels of the ClusterCatalogs to choose from. */
  readonly catalogSelector?: LabelSelector | undefined;
  /** CatalogProvided (only along upgrade edges) or SelfCertified (any version). */
  readonly upgradeConstraintPolicy: string;
  /** Strict or None: whether a CRD that breaks its users stops an update. */
  readonly crdUpgradeSafety: string;
  readonly installed?: InstalledBundle | undefined;
  readonly terminating: boolean;
}

/** The bundle that a ClusterExtension has installed. */
export interface InstalledBundle {
  readonly name: string;
  readonly version: string;
}
