// In which order are catalogs, bundles and entries shown? Always the same one, independent of the order of input: the best
// first.

import type { Bundle, Catalog, Channel, ChannelEntry, Package } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import { compareWithBuild } from "../semver/version.ts";

/** Catalogs in search order: by priority, then by name and namespace. */
export function inCatalogOrder(catalogs: readonly Catalog[]): readonly Catalog[] {
  return [...catalogs].sort(
    (a, b) =>
      b.priority - a.priority || compareText(a.name, b.name) || compareText(a.namespace ?? "", b.namespace ?? ""),
  );
}

/** The name of a catalog, with its namespace where two catalogs share the name. */
export function catalogLabel(catalog: Catalog, catalogs: readonly Catalog[]): string {
  const { name, namespace } = catalog;
  const isShared = catalogs.some((other) => other !== catalog && other.name === name);
  return isShared && namespace !== undefined ? `${namespace}/${name}` : name;
}

/** All packages by name, each with its catalog; those of one name in the order of their catalogs. */
export function packagesInOrder(
  catalogs: readonly Catalog[],
): readonly { readonly catalog: Catalog; readonly package: Package }[] {
  return catalogs
    .flatMap((catalog) => [...catalog.packages.values()].map((one) => ({ catalog, package: one })))
    .sort((a, b) => compareText(a.package.name, b.package.name));
}

/** The highest version first. */
export function newestFirst(bundles: Iterable<Bundle>): Bundle[] {
  return [...bundles].sort(compareNewestFirst);
}

function compareNewestFirst(a: Bundle, b: Bundle): number {
  return (
    compareWithBuild(b.version, a.version) ||
    compareText(b.release ?? "", a.release ?? "") ||
    compareText(a.name, b.name)
  );
}

/** The highest version first; entries without a bundle have none and come last. */
export function entriesNewestFirst(entries: Iterable<ChannelEntry>): ChannelEntry[] {
  return [...entries].sort((a, b) => {
    if (a.bundle !== undefined && b.bundle !== undefined) return compareNewestFirst(a.bundle, b.bundle);
    if (a.bundle === undefined && b.bundle === undefined) return compareText(a.name, b.name);
    return a.bundle === undefined ? 1 : -1;
  });
}

/** The entries of a channel that are not on its chain: each of them is skipped by another. */
export function skippedEntries(channel: Channel): ChannelEntry[] {
  const chain = new Set(channel.chain);
  return entriesNewestFirst([...channel.entries.values()].filter((entry) => !chain.has(entry)));
}

/** The entries of a channel: its chain from the head on, then the skipped ones. */
export function entriesInOrder(channel: Channel): readonly ChannelEntry[] {
  return [...channel.chain, ...skippedEntries(channel)];
}
