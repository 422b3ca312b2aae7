// Which bundles may a ClusterExtension get, best first? OLM v1 knows no chains: every entry of its channels counts, and
// the highest version is the best. An older version is chosen only if its terms leave nothing else.

import type { Catalog, Channel, ChannelEntry, Package } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import type { CatalogName, ExtensionTerms, Installed, Request } from "../model/problem.ts";
import { hasEdge } from "../rule/upgrade-edge.ts";
import { inRange } from "../semver/blang-range.ts";
import { satisfies } from "../semver/masterminds-range.ts";
import { compareWithBuild, type Version } from "../semver/version.ts";
import type { Candidate } from "./catalog-index.ts";

/** May a ClusterExtension choose from a catalog? */
export function mayUse({ catalogs }: ExtensionTerms, { name }: CatalogName): boolean {
  return catalogs?.includes(name) ?? true;
}

/** The catalogs from which a request may choose. */
export function usableFor<Named extends CatalogName>(
  { extension }: Request,
  catalogs: readonly Named[],
): readonly Named[] {
  return extension === undefined ? catalogs : catalogs.filter((one) => mayUse(extension, one));
}

/** The range of a request as it is written: of its ClusterExtension, or from the command line. */
export function rangeTextOf({ range, extension }: Request): string | undefined {
  return extension?.versions?.text ?? range?.text;
}

/** Is a version inside the ranges of a request? */
export function isAllowed({ range, extension }: Request, version: Version): boolean {
  if (range !== undefined && !inRange(range, version)) return false;
  return extension?.versions === undefined || satisfies(extension.versions, version);
}

/** Does the range of a ClusterExtension exclude its installed version? */
export function isExcluded(request: Request, { version }: Installed): boolean {
  return request.extension !== undefined && version !== undefined && !isAllowed(request, version);
}

/** All entries of a channel; with CatalogProvided, only successors of what is installed. */
export function extensionEntries(
  { entries }: Channel,
  { policy }: ExtensionTerms,
  installed: Installed | undefined,
): readonly ChannelEntry[] {
  const all = [...entries.values()];
  if (installed === undefined) return all;
  return all.filter(
    (entry) => entry.name !== installed.name && (policy === "SelfCertified" || hasEdge(installed, entry)),
  );
}

/** A package of a catalog. */
interface OwnedBy {
  readonly catalog: Catalog;
  readonly owner: Package;
}

/**
 * The bundles in order, with their channels: those that are not deprecated before the others, then by the order of their
 * catalogs, then the highest version. If staying is within the terms, only what is better than staying counts: newer
 * versions, of catalogs whose priority is not lower than that of one that has the installed bundle, and deprecated only
 * if that is; if it is, every version that is not. Otherwise newer versions, or else older ones.
 */
export function preferredOf(
  channels: ReadonlyMap<Candidate, string>,
  request: Request,
  installed: Installed | undefined,
  packages: readonly OwnedBy[],
): ReadonlyMap<Candidate, string> {
  const catalogs = packages.map(({ catalog }) => catalog);
  const sorted = [...channels].sort(
    ([a], [b]) =>
      Number(isMarked(a)) - Number(isMarked(b)) ||
      catalogs.indexOf(a.index.catalog) - catalogs.indexOf(b.index.catalog) ||
      compareWithBuild(b.bundle.version, a.bundle.version) ||
      compareText(a.bundle.name, b.bundle.name),
  );
  const running = installed?.version;
  if (installed === undefined || running === undefined) return new Map(sorted);
  const newer = sorted.filter(([one]) => compareWithBuild(one.bundle.version, running) > 0);
  const offering = packages.filter(({ owner }) => hasEntry(request, installed, owner));
  const isInChannels = offering.length > 0 || request.extension?.channels.length === 0;
  if (isExcluded(request, installed) || !isInChannels) return new Map(newer.length > 0 ? newer : sorted);
  const isDeprecated = packages.some(({ owner }) => owner.deprecations.bundles.has(installed.name));
  const priority = Math.max(...offering.map(({ catalog }) => catalog.priority));
  return new Map(
    newer.filter(([one]) => {
      if (isMarked(one) !== isDeprecated) return isDeprecated;
      return one.index.catalog.priority >= priority;
    }),
  );
}

/** Does a channel that the request may use have the installed bundle? */
function hasEntry({ extension }: Request, { name }: Installed, { channels }: Package): boolean {
  const named = extension?.channels ?? [];
  return [...channels.values()].some(
    (one) => (named.length === 0 || named.includes(one.name)) && one.entries.has(name),
  );
}

/** Does its catalog mark the bundle as deprecated? */
function isMarked({ bundle, index }: Candidate): boolean {
  return index.catalog.packages.get(bundle.package)?.deprecations.bundles.has(bundle.name) ?? false;
}
