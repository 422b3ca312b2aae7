// Who asked for which operator, and how far did it get? OLM's Subscription.

import type { TextMap } from "./labels.ts";
import type { Place } from "./place.ts";

/** Whether an update is carried out at once or waits for a person. */
export type Approval = "Automatic" | "Manual";

/** The annotation that says how much a Subscription matters beside others. */
export const PRIORITY_ANNOTATION = "plimsoll.dev/priority";

/** The annotation of a Subscription that came with a dependency; its value names the InstallPlan that brought it. */
export const GENERATED_ANNOTATION = "olm.generated-by";

/** The wish for an operator of a package, kept up to date from a channel of a catalog. */
export interface Subscription {
  readonly place: Place;
  readonly namespace: string;
  readonly name: string;
  readonly annotations: TextMap;
  /** `plimsoll.dev/priority`: the higher comes first; 0 if the annotation is not there. */
  readonly priority: number;
  readonly package: string;
  /** Without one, every channel of the package will do. */
  readonly channel?: string | undefined;
  /** The name of the CatalogSource. */
  readonly source: string;
  readonly sourceNamespace: string;
  /** The version to begin with, while nothing is installed. */
  readonly startingCSV?: string | undefined;
  readonly approval: Approval;
  /** The operator that runs. */
  readonly installedCSV?: string | undefined;
  /** The operator that runs or is being installed. */
  readonly currentCSV?: string | undefined;
  /** UpgradeAvailable, UpgradePending, UpgradeFailed or AtLatestKnown. */
  readonly state?: string | undefined;
}
