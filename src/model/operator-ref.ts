// How does an answer refer to operators and requests? As plain data that survives JSON: no catalogs, no parsed
// versions.

import type { RangeOutline } from "../semver/blang-range.ts";
import type { CatalogName, ExtensionTerms, Request } from "./problem.ts";

/** A bundle of a catalog, or an installed operator. */
export interface OperatorRef {
  /** The name of its bundle or ClusterServiceVersion. */
  readonly name: string;
  /** Its package, if known. */
  readonly package?: string | undefined;
  /** Its printed version, if known. */
  readonly version?: string | undefined;
  /** The catalog of a bundle; undefined for an installed operator. */
  readonly catalog?: CatalogName | undefined;
  /** The namespace of an installed operator; undefined for a bundle. */
  readonly namespace?: string | undefined;
}

/** A request: a Subscription, a ClusterExtension, or a package named on the command line. */
export interface RequestRef
  extends RequestIdentity,
    Pick<Request, "startingCSV" | "installed" | "isApproved" | "isGenerated"> {
  readonly extension?: ExtensionRef | undefined;
  /** The requested version range. */
  readonly range?: RangeOutline | undefined;
  readonly isManual?: true | undefined;
}

/** The terms of a ClusterExtension. */
export interface ExtensionRef extends Pick<ExtensionTerms, "channels" | "catalogs" | "policy"> {
  /** The requested versions, as written. */
  readonly versions?: string | undefined;
}

/** The fields that identify a request, in a problem or in an answer. */
export interface RequestIdentity extends Pick<Request, "id" | "name" | "package" | "channel" | "catalog" | "place"> {
  /** Every request of the cluster scope has terms, and no other. */
  readonly extension?: Pick<ExtensionRef, "channels"> | undefined;
}

/** Does it have the name that OLM gives the Subscription of a dependency? There is no other sign. */
export function isMadeByOlm({ name, package: owner, channel, catalog, place }: RequestIdentity): boolean {
  if (place === undefined || channel === undefined || catalog === undefined) return false;
  const start = `${owner}-${channel}-${catalog.name}-`;
  return catalog.namespace === undefined ? name.startsWith(start) : name === `${start}${catalog.namespace}`;
}
