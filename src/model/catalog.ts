// What is in a catalog? Packages, their channels (upgrade graphs) and bundles, as in a file-based catalog, with
// indexes. Everything here has passed the structural checks; what did not is left out, and `findings` states why.

import type { Range } from "../semver/blang-range.ts";
import type { Version } from "../semver/version.ts";
import type { Finding } from "./finding.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Place } from "./place.ts";

/** A statement about a bundle: something it provides, requires or is. */
export interface Property {
  readonly type: string;
  readonly value: Json;
}

/** A version of an API. */
export interface Gvk {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The key under which a GVK is indexed; no part of a valid GVK contains a slash. */
export function gvkKey(gvk: Gvk): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`;
}

/** The API of a key. */
export function gvkOf(key: string): Gvk {
  const [group = "", version = "", kind = ""] = key.split("/");
  return { group, version, kind };
}

/** The key of a kind, in any version. */
export function kindKey({ group, kind }: Pick<Gvk, "group" | "kind">): string {
  return JSON.stringify([group, kind]);
}

/** The API group in the key of a kind. */
export function kindGroup(key: string): string {
  return JSON.parse(key)[0];
}

/** An image that a bundle's operator uses. */
export interface RelatedImage {
  readonly name: string;
  readonly image: string;
}

/** One version of an operator. */
export interface Bundle {
  readonly name: string;
  readonly package: string;
  readonly version: Version;
  /** Distinguishes builds of one version; rare. */
  readonly release: string | undefined;
  readonly image: string;
  readonly relatedImages: readonly RelatedImage[];
  readonly properties: readonly Property[];
  readonly place: Place;
}

/** A bundle's entry in a channel, with the upgrade edges that lead to it. */
export interface ChannelEntry {
  readonly name: string;
  readonly replaces: string | undefined;
  readonly skips: readonly string[];
  /** Installed versions in this range may be upgraded to this entry directly. */
  readonly skipRange: Range | undefined;
  /** Undefined if the package has no usable bundle of that name: the entry then only connects the graph. */
  readonly bundle: Bundle | undefined;
}

/** An upgrade graph with one head. */
export interface Channel {
  readonly name: string;
  readonly package: string;
  /** By name, in the order of names. */
  readonly entries: ReadonlyMap<string, ChannelEntry>;
  /** The entry that nothing replaces or skips. */
  readonly head: ChannelEntry;
  /**
   * From the head along `replaces`, up to the first skipped entry: the candidates of a first installation, best
   * first.
   */
  readonly chain: readonly ChannelEntry[];
  readonly properties: readonly Property[];
  readonly place: Place;
}

/** What the author states about deprecated parts. Never changes a choice, always reported. */
export interface Deprecations {
  readonly package?: string;
  readonly channels: ReadonlyMap<string, string>;
  readonly bundles: ReadonlyMap<string, string>;
}

/** All versions of one operator. */
export interface Package {
  readonly name: string;
  readonly defaultChannel: string;
  readonly description: string;
  /** By name, in the order of names. */
  readonly channels: ReadonlyMap<string, Channel>;
  /** By name, in the order of names. */
  readonly bundles: ReadonlyMap<string, Bundle>;
  readonly deprecations: Deprecations;
  readonly properties: readonly Property[];
  readonly place: Place;
}

/** A document of an unknown schema, kept as is. */
export interface OpaqueDocument {
  readonly schema: string;
  readonly package: string;
  readonly name: string;
  readonly object: JsonObject;
  readonly place: Place;
}

/** The number of parts of a catalog that were left out. */
export interface Dropped {
  readonly packages: number;
  readonly channels: number;
  readonly bundles: number;
}

/** A set of packages under one name. */
export interface Catalog {
  readonly name: string;
  /** The namespace of its CatalogSource, where two catalogs share a name. */
  readonly namespace?: string;
  /** Catalogs of higher priority come first. */
  readonly priority: number;
  /** What may use it, if not everything: the catalogs of a live cluster are known to belong to one side. */
  readonly onlyFor?: "cluster-extensions" | "own-namespace" | undefined;
  /** By name, in the order of names. */
  readonly packages: ReadonlyMap<string, Package>;
  /** The providers of an API, by {@link gvkKey}. */
  readonly providers: ReadonlyMap<string, readonly Bundle[]>;
  /** The bundles that have a property of a type. */
  readonly byPropertyType: ReadonlyMap<string, readonly Bundle[]>;
  readonly others: readonly OpaqueDocument[];
  readonly findings: readonly Finding[];
  readonly dropped: Dropped;
}

/** The number of channels and bundles of a catalog. */
export function countCatalog(catalog: Catalog): { readonly channels: number; readonly bundles: number } {
  let channels = 0;
  let bundles = 0;
  for (const one of catalog.packages.values()) {
    channels += one.channels.size;
    bundles += one.bundles.size;
  }
  return { channels, bundles };
}
