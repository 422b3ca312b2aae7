// What has OLM planned? Its InstallPlan, without the manifests.

import type { Gvk } from "./catalog.ts";
import type { NamespacedObject } from "./object.ts";
import type { Approval } from "./subscription.ts";

/** One object that a plan creates. */
export interface InstallStep extends Gvk {
  /** The ClusterServiceVersion that it belongs to. */
  readonly resolving: string;
  readonly name: string;
  /** Unknown, NotPresent, Present, Created, NotCreated… */
  readonly status: string;
}

/** A set of operators that are installed together. */
export interface InstallPlan extends NamespacedObject {
  /** The number of the plan within its namespace. */
  readonly generation: number;
  readonly approval: Approval;
  readonly approved: boolean;
  /** Planning, RequiresApproval, Installing, Complete or Failed. */
  readonly phase?: string | undefined;
  readonly message?: string | undefined;
  readonly clusterServiceVersionNames: readonly string[];
  readonly steps: readonly InstallStep[];
}
