// Which thing of the catalogs does the user mean? An argument is read in the first of these ways that finds something:
//
//   1. PACKAGE            3. PACKAGE@VERSION (v1.2, 1.2 and 1.2.0 are the same)
//   2. BUNDLE             4. PACKAGE/CHANNEL      5. PACKAGE/BUNDLE
//
// first in all catalogs, then, if the argument begins with the name of a catalog (CATALOG/… or NAMESPACE/CATALOG/…), its
// rest in that catalog. So a channel wins over a package of a catalog that is called like a package. The names of
// packages have neither / nor @ in them, those of catalogs, channels and bundles may. If several catalogs have the thing,
// the first one by priority and name is shown. A bundle that is in several packages, or a version that several bundles
// have, is not guessed.

import type { Bundle, Catalog, Channel, Package } from "../model/catalog.ts";
import { addTo } from "../model/grouped.ts";
import { parseTolerant } from "../semver/tolerant.ts";
import { compareVersions, printVersion } from "../semver/version.ts";
import { ambiguous, type Missing, missing, type Reading } from "./missing.ts";
import { inCatalogOrder, newestFirst } from "./order.ts";

/** Everything. */
export interface FoundOverview {
  readonly kind: "overview";
  /** In the order in which catalogs are searched. */
  readonly catalogs: readonly Catalog[];
}

interface InPackage {
  /** All catalogs, in the order in which they are searched. */
  readonly catalogs: readonly Catalog[];
  readonly catalog: Catalog;
  readonly package: Package;
  /** Other catalogs that have the same thing. */
  readonly alsoIn: readonly Catalog[];
}

/** A package of a catalog. */
export interface FoundPackage extends InPackage {
  readonly kind: "package";
}

/** A channel of a package. */
export interface FoundChannel extends InPackage {
  readonly kind: "channel";
  readonly channel: Channel;
}

/** A bundle of a package. */
export interface FoundBundle extends InPackage {
  readonly kind: "bundle";
  readonly bundle: Bundle;
}

/** What an argument means. */
export type Found = FoundOverview | FoundPackage | FoundChannel | FoundBundle;

/** The package, channel or bundle that an argument means; everything without an argument. */
export function find(catalogs: readonly Catalog[], argument: string | undefined): Found | Missing {
  const ordered = inCatalogOrder(catalogs);
  if (argument === undefined) return { kind: "overview", catalogs: ordered };
  const readings = readingsOf(ordered, argument);
  return (
    firstFound(ordered, readings) ??
    missing(ordered, argument, readings, (instead) => firstFound(ordered, readingsOf(ordered, instead)) !== undefined)
  );
}

function firstFound(catalogs: readonly Catalog[], readings: readonly Reading[]): Found | Missing | undefined {
  for (const reading of readings) {
    const search: Search = { catalogs, ...reading };
    const found = asPackage(search) ?? asBundle(search) ?? asVersion(search) ?? asPart(search);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Search extends Reading {
  readonly catalogs: readonly Catalog[];
}

function readingsOf(catalogs: readonly Catalog[], argument: string): readonly Reading[] {
  const within = new Map<string, Catalog[]>();
  for (const catalog of catalogs) {
    const { name, namespace } = catalog;
    const prefixes = namespace === undefined ? [`${name}/`] : [`${name}/`, `${namespace}/${name}/`];
    for (const prefix of prefixes) if (argument.startsWith(prefix)) addTo(within, prefix, catalog);
  }
  const inCatalog = [...within].map(([prefix, named]) => ({
    prefix,
    word: argument.slice(prefix.length),
    within: named,
  }));
  return [{ prefix: "", word: argument, within: catalogs }, ...inCatalog];
}

/** The first catalog whose package has a thing, the package and the thing, and the other catalogs that have it. */
function locate<Thing>(
  { catalogs, within }: Search,
  owner: string,
  thingOf: (owner: Package) => Thing | undefined,
): readonly [InPackage, Thing] | undefined {
  const inCatalog = (catalog: Catalog): Thing | undefined => {
    const found = catalog.packages.get(owner);
    return found && thingOf(found);
  };
  const catalog = within.find((one) => inCatalog(one) !== undefined);
  const thing = catalog && inCatalog(catalog);
  if (catalog === undefined || thing === undefined) return undefined;
  const alsoIn = catalogs.filter((other) => other !== catalog && inCatalog(other) !== undefined);
  return [{ catalogs, catalog, package: catalog.packages.get(owner) as Package, alsoIn }, thing];
}

function asPackage(search: Search): FoundPackage | undefined {
  const [where] = locate(search, search.word, (one) => one) ?? [];
  return where && { kind: "package", ...where };
}

function asBundle(search: Search): FoundBundle | Missing | undefined {
  const { within, prefix, word } = search;
  const owners = new Set<string>();
  for (const catalog of within)
    for (const one of catalog.packages.values()) if (one.bundles.has(word)) owners.add(one.name);
  const [owner] = owners;
  if (owner === undefined) return undefined;
  if (owners.size === 1) return bundleOf(search, owner, word);
  const names = [...owners].sort().map((name) => `${prefix}${name}/${word}`);
  return ambiguous(`${prefix}${word}`, "name", names);
}

function asVersion(search: Search): FoundBundle | Missing | undefined {
  const { within, prefix, word } = search;
  const at = word.indexOf("@");
  if (at < 0) return undefined;
  const owner = word.slice(0, at);
  const text = word.slice(at + 1);
  for (const catalog of within) {
    const bundles = bundlesOfVersion(catalog.packages.get(owner), text);
    const [bundle] = bundles;
    if (bundles.length > 1) {
      const names = bundles.map(({ name }) => `${prefix}${owner}/${name}`);
      return ambiguous(`${prefix}${word}`, "version", names);
    }
    if (bundle !== undefined) return bundleOf({ ...search, within: [catalog] }, owner, bundle.name);
  }
  return undefined;
}

/** The bundles whose version is exactly the text; if there is none, those whose version the text means. */
function bundlesOfVersion(owner: Package | undefined, text: string): readonly Bundle[] {
  if (owner === undefined) return [];
  const bundles = newestFirst(owner.bundles.values());
  const exact = bundles.filter(({ version }) => printVersion(version) === text);
  const meant = parseTolerant(text);
  if (exact.length > 0 || typeof meant === "string") return exact;
  return bundles.filter(({ version }) => compareVersions(version, meant) === 0);
}

function asPart(search: Search): FoundChannel | FoundBundle | undefined {
  const { word } = search;
  const slash = word.indexOf("/");
  if (slash < 0) return undefined;
  const owner = word.slice(0, slash);
  const part = word.slice(slash + 1);
  const [where, channel] = locate(search, owner, ({ channels }) => channels.get(part)) ?? [];
  return where && channel ? { kind: "channel", ...where, channel } : bundleOf(search, owner, part);
}

function bundleOf(search: Search, owner: string, name: string): FoundBundle | undefined {
  const [where, bundle] = locate(search, owner, ({ bundles }) => bundles.get(name)) ?? [];
  return where && bundle && { kind: "bundle", ...where, bundle };
}
