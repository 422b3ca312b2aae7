// What does a verdict depend on besides the two definitions? The state of the cluster, its operators, and the settings.

import type { Gvk } from "../../model/catalog.ts";
import type { CustomResource } from "../../model/custom-resource.ts";
import type { Severity } from "../../model/finding.ts";
import type { CrdCode } from "../finding-codes.ts";

/** An operator, or a flag, that needs a version of an API. */
export interface ApiUser extends Gvk {
  /** Its name in messages: `crane-yard.v1.4.0`, `--requires`. */
  readonly by: string;
  /** The namespace that it runs in, if that is another one; `CLUSTER_SCOPE` for what a ClusterExtension has installed. */
  readonly runsIn?: string | undefined;
}

/** Severities chosen in the settings; `off` is not reported. */
export type SeverityChoices = ReadonlyMap<CrdCode, Severity | "off">;

/** Everything that a verdict depends on besides the definitions. */
export interface Circumstances {
  /** How many owners the definition has: operators of different packages or namespaces. At least 1. */
  readonly owners: number;
  /** Versions in which objects may be stored, besides the old CRD's storage version; undefined for those of its status. */
  readonly stored: readonly string[] | undefined;
  /** All objects of the kind, in any version; nothing if they are unknown. Objects of other kinds are ignored. */
  readonly objects: readonly CustomResource[] | undefined;
  /** There are more objects, which could not be read: those that are given do not show that all are fine. */
  readonly isPartial: boolean;
  /** Operators that stay and require a version; one that was not served before had broken them already. */
  readonly requiredBy: readonly ApiUser[];
  /** Versions that the new CRD has to serve, whether or not the old one does. */
  readonly demanded: readonly ApiUser[];
  /** Other owners, and the versions that their ClusterServiceVersions own. */
  readonly ownedBy: readonly ApiUser[];
  /** The versions that the ClusterServiceVersion beside the new CRD owns; nothing if there is none. */
  readonly owned: readonly ApiUser[] | undefined;
  /** As OLM decides it. */
  readonly compat: boolean;
  readonly severities: SeverityChoices;
  /** Budget for all rules of one object. */
  readonly celCostLimit: number;
}

/** The default: one owner, no other operators, objects not given. */
export const NOTHING_KNOWN: Circumstances = {
  owners: 1,
  stored: undefined,
  objects: undefined,
  isPartial: false,
  requiredBy: [],
  demanded: [],
  ownedBy: [],
  owned: undefined,
  compat: false,
  severities: new Map(),
  celCostLimit: 10_000_000,
};
