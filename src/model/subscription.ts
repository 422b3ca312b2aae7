// Which operators are requested, and what is their state? OLM's Subscription.

import type { TextMap } from "./labels.ts";
import type { NamespacedObject } from "./object.ts";

/** Whether an update is applied at once or waits for approval. */
export type Approval = "Automatic" | "Manual";

/** The annotation with the priority of a Subscription. */
export const PRIORITY_ANNOTATION = "plimsoll.dev/priority";

/** The annotation of a Subscription generated for a dependency; its value names the InstallPlan that created it. */
export const GENERATED_ANNOTATION = "olm.generated-by";

/** A request for an operator of a package, updated from a channel of a catalog. */
export interface Subscription extends NamespacedObject {
  readonly annotations: TextMap;
  /** `plimsoll.dev/priority`: higher comes first; 0 without the annotation. */
  readonly priority: number;
  readonly package: string;
  /** Without one, every channel of the package is allowed. */
  readonly channel?: string | undefined;
  /** The name of the CatalogSource. */
  readonly source: string;
  readonly sourceNamespace: string;
  /** The version to start with, for a first installation. */
  readonly startingCSV?: string | undefined;
  readonly approval: Approval;
  /** The installed operator. */
  readonly installedCSV?: string | undefined;
  /** The operator that is installed or being installed. */
  readonly currentCSV?: string | undefined;
  /** UpgradeAvailable, UpgradePending, UpgradeFailed or AtLatestKnown. */
  readonly state?: string | undefined;
}
