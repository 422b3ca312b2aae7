// How does an answer name operators and requests? As plain data that JSON carries whole: no catalogs, no parsed versions.

import type { RangeOutline } from "../semver/blang-range.ts";
import type { Place } from "./place.ts";
import type { CatalogName } from "./problem.ts";

/** A bundle of a catalog, or an operator that runs. */
export interface OperatorRef {
  /** The name of its bundle or ClusterServiceVersion. */
  readonly name: string;
  /** The package it is of, where that is known. */
  readonly package?: string | undefined;
  /** Its version, as it is printed, where that is known. */
  readonly version?: string | undefined;
  /** The catalog of a bundle; nothing for an operator that runs. */
  readonly catalog?: CatalogName | undefined;
  /** The namespace of an operator that runs; nothing for a bundle. */
  readonly namespace?: string | undefined;
}

/** A request: a Subscription, or a package named on the command line. */
export interface RequestRef {
  /** `namespace/name`; unique. */
  readonly id: string;
  readonly name: string;
  readonly package: string;
  readonly catalog?: CatalogName | undefined;
  readonly channel?: string | undefined;
  /** The range that its version has to be in. */
  readonly range?: RangeOutline | undefined;
  readonly startingCSV?: string | undefined;
  /** The name of the operator that it keeps up to date. */
  readonly installed?: string | undefined;
  readonly isManual?: true | undefined;
  /** It is Manual, and was approved. */
  readonly isApproved?: true | undefined;
  readonly isGenerated?: true | undefined;
  /** Where it was asked for; nothing for the command line. */
  readonly place?: Place | undefined;
}

/** What of a request says who asks, whether it is one of a problem or in an answer. */
export type Asker = Pick<RequestRef, "id" | "name" | "package" | "channel" | "catalog" | "place">;

/** Does it have the name that OLM gives the Subscription of a dependency? Nothing else tells them from others. */
export function isMadeByOlm({ name, package: owner, channel, catalog, place }: Asker): boolean {
  if (place === undefined || channel === undefined || catalog === undefined) return false;
  const start = `${owner}-${channel}-${catalog.name}-`;
  return catalog.namespace === undefined ? name.startsWith(start) : name === `${start}${catalog.namespace}`;
}
