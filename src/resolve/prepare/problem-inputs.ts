// What are problems prepared from? The catalogs and objects that were read, and the flags of the command line.

import type { Catalog, Property } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { Finding } from "../../model/finding.ts";
import type { Path, Place } from "../../model/place.ts";
import type { CatalogName, Problem, ResolveOptions, UnavailableCatalog } from "../../model/problem.ts";
import type { RangeOutline } from "../../semver/blang-range.ts";
import type { Warning } from "../warning.ts";

/** A request without a Subscription. */
export interface NamedRequest {
  readonly catalog?: CatalogName | undefined;
  readonly package: string;
  readonly range?: RangeOutline | undefined;
  readonly channel?: string | undefined;
}

/** The text of the runtime constraints, and its place. */
export interface RuntimeConstraintsText {
  readonly text: string;
  readonly place: Place;
}

/** One item of the runtime constraints. */
export interface ListedProperty {
  readonly property: Property;
  readonly place: Place;
  /** The place of a value at a path, of its key, or of a character of its text. */
  readonly placeInside: (path: Path, detail?: { readonly offset?: number; readonly ofKey?: boolean }) => Place;
}

/** The runtime constraints, as far as readable; with problems it must not be used. */
export interface PropertyList {
  readonly items: readonly ListedProperty[];
  readonly problems: readonly Finding[];
}

/** Reads the text of the runtime constraints. */
export type ReadList = (text: string, place: Place) => PropertyList;

/** All input of resolution, for all namespaces. */
export interface Given {
  readonly catalogs: readonly Catalog[];
  readonly unavailable: readonly UnavailableCatalog[];
  readonly objects: ClusterObjects;
  /** The namespaces to resolve. */
  readonly namespaces: readonly string[];
  readonly named: readonly NamedRequest[];
  /** Packages to remove. */
  readonly removed: readonly string[];
  /** Packages to hold. */
  readonly held: readonly string[];
  /** Properties of the cluster from flags. */
  readonly nodeProperties: readonly Property[];
  /** Properties of the cluster as its API server states them; flags and the ConfigMap override a version. */
  readonly serverProperties?: readonly Property[] | undefined;
  /** Replaces the ConfigMap. */
  readonly runtimeConstraints?: RuntimeConstraintsText | undefined;
  /** The ConfigMap of the runtime constraints, if not the default one. */
  readonly configMap?: { readonly namespace: string; readonly name: string } | undefined;
  readonly readList: ReadList;
  readonly options: ResolveOptions;
}

/** A warning about one namespace, or about all. */
export type PreparationWarning = Warning & { readonly namespace?: string | undefined };

/** The problems, one for each namespace, in the order of their names. */
export interface Prepared {
  readonly problems: readonly Problem[];
  readonly warnings: readonly PreparationWarning[];
}
