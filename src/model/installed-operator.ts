// Which operators are installed on a cluster? OLM's ClusterServiceVersion, with the fields that matter for choosing
// and updating operators.

import type { Gvk, Property } from "./catalog.ts";
import type { TextMap } from "./labels.ts";
import type { NamespacedObject } from "./object.ts";

/** A kind of a group and version that an operator owns or requires. */
export interface ApiDescription extends Gvk {
  /** The name of its resource: `etcdclusters`. */
  readonly plural: string;
}

/** The APIs that an operator owns, and those it requires. */
export interface ApiDescriptions {
  readonly owned: readonly ApiDescription[];
  readonly required: readonly ApiDescription[];
}

/** A kind of OperatorGroup in which an operator can run. */
export interface InstallMode {
  /** OwnNamespace, SingleNamespace, MultiNamespace or AllNamespaces. */
  readonly type: string;
  readonly supported: boolean;
}

/** The annotation in which OLM keeps the properties of the operator's bundle. */
export const PROPERTIES_ANNOTATION = "operatorframework.io/properties";

/** An operator in a namespace: a ClusterServiceVersion. */
export interface InstalledOperator extends NamespacedObject {
  readonly labels: TextMap;
  readonly annotations: TextMap;
  /** The version as written; it need not be a semantic version. */
  readonly version?: string | undefined;
  readonly replaces?: string | undefined;
  readonly skips: readonly string[];
  readonly minKubeVersion?: string | undefined;
  readonly installModes: readonly InstallMode[];
  readonly customResourceDefinitions: ApiDescriptions;
  readonly apiServices: ApiDescriptions;
  /** Pending, InstallReady, Installing, Succeeded, Failed, Unknown, Replacing or Deleting. */
  readonly phase?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** A copy of an operator of another namespace. */
  readonly copied: boolean;
  /** It is being deleted. */
  readonly terminating: boolean;
  /** The properties of its bundle; undefined if the annotation is missing or malformed. */
  readonly properties?: readonly Property[] | undefined;
  /** The annotation as written. */
  readonly propertiesText?: string | undefined;
}

/** Is the operator being replaced or deleted? */
export function isLeaving({ phase, terminating }: Pick<InstalledOperator, "phase" | "terminating">): boolean {
  return terminating || phase === "Replacing" || phase === "Deleting";
}
