// What is the digest of an input? That of its canonical text; a catalog's is made of those of its packages, and
// theirs of those of their bundles, so that no catalog is serialised as a whole. Places are not part of it.

import type { Bundle, Catalog, Channel, ChannelEntry, Package, Property } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { compareText, type Json, type JsonObject } from "../../model/json.ts";
import { sortedEntries } from "../../model/sorted.ts";
import { canonicalBytes } from "./canonical-bytes.ts";
import { sha256 } from "./sha256.ts";

/** `sha256:` and the digest of a value, independent of the order of its keys. */
export function digestOf(value: Json): string {
  return `sha256:${sha256(canonicalBytes(value))}`;
}

/** The digest of everything that a catalog offers; documents of unknown schemas are left out. */
export function catalogDigest(catalog: Catalog): string {
  return remembered(catalog, () => [...catalog.packages.values()].map((one) => [one.name, packageDigest(one)]));
}

/** The digest of a package with its channels and bundles. */
export function packageDigest(one: Package): string {
  return remembered(one, () => ({
    name: one.name,
    defaultChannel: one.defaultChannel,
    description: one.description,
    properties: one.properties.map(propertyJson),
    channels: [...one.channels.values()].map(channelJson),
    bundles: [...one.bundles.values()].map(bundleDigest),
    deprecations: {
      ...(one.deprecations.package !== undefined && { package: one.deprecations.package }),
      channels: sortedEntries(one.deprecations.channels),
      bundles: sortedEntries(one.deprecations.bundles),
    },
  }));
}

/** The digest of a bundle and its upgrade edges in a channel. */
export function bundleInChannelDigest(bundle: Bundle, entry: ChannelEntry | undefined): string {
  return digestOf([bundleDigest(bundle), entry === undefined ? null : entryJson(entry)]);
}

function bundleDigest(bundle: Bundle): string {
  return remembered(bundle, () => ({
    name: bundle.name,
    package: bundle.package,
    image: bundle.image,
    relatedImages: bundle.relatedImages.map(({ name, image }) => ({ name, image })),
    properties: bundle.properties.map(propertyJson),
  }));
}

/** The form of a property for digests. */
export function propertyJson({ type, value }: Property): JsonObject {
  return { type, value };
}

function channelJson({ name, entries, properties }: Channel): JsonObject {
  return { name, entries: [...entries.values()].map(entryJson), properties: properties.map(propertyJson) };
}

function entryJson({ name, replaces, skips, skipRange }: ChannelEntry): JsonObject {
  return {
    name,
    replaces: replaces ?? null,
    skips: [...skips].sort(compareText),
    skipRange: skipRange?.text ?? null,
  };
}

/** Cached: catalogs do not change. */
const KNOWN = new WeakMap<Catalog | Package | Bundle, string>();

function remembered(object: Catalog | Package | Bundle, read: () => Json): string {
  return getOrAdd(KNOWN, object, () => digestOf(read()));
}
