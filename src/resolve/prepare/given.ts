// What is resolution prepared from? The catalogs and objects that were read, and what the command line asked for.

import type { Catalog, Property } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { Path, Place } from "../../model/place.ts";
import type { CatalogName, Problem, ResolveOptions, UnavailableCatalog } from "../../model/problem.ts";
import type { RangeOutline } from "../../semver/blang-range.ts";
import type { Warning } from "../warning.ts";

/** A package that is asked for without a Subscription. */
export interface NamedRequest {
  readonly catalog?: CatalogName | undefined;
  readonly package: string;
  readonly range?: RangeOutline | undefined;
  readonly channel?: string | undefined;
}

/** The administrator's list as text, and where the text stands. */
export interface RuntimeConstraintsText {
  readonly text: string;
  readonly place: Place;
}

/** One item of the administrator's list. */
export interface ListedProperty {
  readonly property: Property;
  readonly place: Place;
  /** Where something inside its value stands: the value at a path, its key, or a character of its text. */
  readonly placeInside: (path: Path, detail?: { readonly offset?: number; readonly ofKey?: boolean }) => Place;
}

/** The administrator's list, as far as it can be read; with problems it is not to be used. */
export interface PropertyList {
  readonly items: readonly ListedProperty[];
  readonly problems: readonly Finding[];
}

/** Reads the text of the administrator's list. */
export type ReadList = (text: string, place: Place) => PropertyList;

/** Everything that resolution may depend on, for all namespaces. */
export interface Given {
  readonly catalogs: readonly Catalog[];
  readonly unavailable: readonly UnavailableCatalog[];
  readonly objects: ClusterObjects;
  /** Those that are to be resolved. */
  readonly namespaces: readonly string[];
  readonly named: readonly NamedRequest[];
  /** Packages that are to go. */
  readonly removed: readonly string[];
  /** Packages that are to stay as they are. */
  readonly held: readonly string[];
  /** What the flags say about the cluster. */
  readonly nodeProperties: readonly Property[];
  /** Replaces the ConfigMap. */
  readonly runtimeConstraints?: RuntimeConstraintsText | undefined;
  /** Where the administrator's list is kept, if not in the usual place. */
  readonly configMap?: { readonly namespace: string; readonly name: string } | undefined;
  readonly readList: ReadList;
  readonly options: ResolveOptions;
}

/** A warning that is about one namespace, or about all of them. */
export type PreparationWarning = Warning & { readonly namespace?: string | undefined };

/** The problems, one for each namespace, in the order of their names. */
export interface Prepared {
  readonly problems: readonly Problem[];
  readonly warnings: readonly PreparationWarning[];
}
