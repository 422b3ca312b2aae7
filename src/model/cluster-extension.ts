// Which operators are requested in OLM v1? Its ClusterExtension.

import type { NamedObject } from "./object.ts";
import type { LabelSelector } from "./selector.ts";

/** A request for a package on the whole cluster. */
export interface ClusterExtension extends NamedObject {
  /** The namespace of its workload. */
  readonly installNamespace?: string | undefined;
  /** `plimsoll.dev/priority`: higher comes first; 0 without the annotation. */
  readonly priority: number;
  readonly packageName: string;
  /** A version or a range of versions, as written. */
  readonly version?: string | undefined;
  /** The channels to choose from; empty means all. */
  readonly channels: readonly string[];
  /** The labels of the ClusterCatalogs to choose from. */
  readonly catalogSelector?: LabelSelector | undefined;
  /** CatalogProvided (only along upgrade edges) or SelfCertified (any version). */
  readonly upgradeConstraintPolicy: string;
  /** Strict or None: whether a breaking CRD change stops an update. */
  readonly crdUpgradeSafety: string;
  readonly installed?: InstalledBundle | undefined;
  readonly terminating: boolean;
}

/** The installed bundle of a ClusterExtension. */
export interface InstalledBundle {
  readonly name: string;
  readonly version: string;
}
