// Which operators run on a cluster? OLM's ClusterServiceVersion, as far as anybody who chooses or updates operators
// needs it.

import type { Gvk, Property } from "./catalog.ts";
import type { TextMap } from "./labels.ts";
import type { Place } from "./place.ts";

/** A kind of a group and version that an operator owns or requires. */
export interface ApiDescription extends Gvk {
  /** The name of its resource: `etcdclusters`. */
  readonly plural: string;
}

/** What an operator owns, and what it needs somebody else to own. */
export interface ApiDescriptions {
  readonly owned: readonly ApiDescription[];
  readonly required: readonly ApiDescription[];
}

/** In which kind of OperatorGroup an operator can live. */
export interface InstallMode {
  /** OwnNamespace, SingleNamespace, MultiNamespace or AllNamespaces. */
  readonly type: string;
  readonly supported: boolean;
}

/** The annotation in which OLM keeps the properties of the bundle that an operator came from. */
export const PROPERTIES_ANNOTATION = "operatorframework.io/properties";

/** An operator in a namespace: a ClusterServiceVersion. */
export interface InstalledOperator {
  readonly place: Place;
  readonly namespace: string;
  readonly name: string;
  readonly labels: TextMap;
  readonly annotations: TextMap;
  /** The version as written; it need not be a semantic one. */
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
  /** It only mirrors an operator of another namespace. */
  readonly copied: boolean;
  /** Its deletion was asked for. */
  readonly terminating: boolean;
  /** The properties of its bundle; nothing if the annotation is missing or malformed. */
  readonly properties?: readonly Property[] | undefined;
  /** The annotation itself, readable or not. */
  readonly propertiesText?: string | undefined;
}
