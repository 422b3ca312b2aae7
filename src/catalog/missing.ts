// What is missing when the catalogs do not have what was asked for, and what was probably meant? As data; the sentence is in
// src/render/sentence/not-in-catalog.ts.

import type { Catalog, Package } from "../model/catalog.ts";
import { printVersion } from "../semver/version.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { catalogLabel, newestFirst } from "./order.ts";

/** An argument that means nothing, or more than one thing. */
export type Missing = { readonly kind: "missing" } & (Ambiguous | UnknownPart | UnknownThing);

/** Several bundles are meant. */
interface Ambiguous {
  readonly reason: "ambiguous";
  readonly argument: string;
  /** What the bundles share: a name, in different packages; or a version, in one package. */
  readonly shared: "name" | "version";
  /** Arguments that mean one of them each. */
  readonly instead: readonly string[];
}

/** The package is there, its channel or version is not. */
interface UnknownPart {
  readonly reason: "unknown";
  readonly what: "part";
  readonly package: string;
  readonly part: "channel" | "version";
  readonly name: string;
  /** The channels or versions that the package has. */
  readonly known: readonly string[];
  /** The argument that was probably meant, if one is near. */
  readonly instead: readonly string[];
}

/** There is no such package or bundle. */
interface UnknownThing {
  readonly reason: "unknown";
  readonly what: "package or bundle";
  readonly name: string;
  /** The labels of the catalogs that were searched. */
  readonly catalogs: readonly string[];
  /** The argument that was probably meant, if one is near. */
  readonly instead: readonly string[];
}

/** One way to read an argument: what is looked for, and where. */
export interface Reading {
  /** The part of the argument that names a catalog. */
  readonly prefix: string;
  readonly word: string;
  readonly within: readonly Catalog[];
}

/** An argument that means several bundles. */
export function ambiguous(argument: string, shared: Ambiguous["shared"], instead: readonly string[]): Missing {
  return { kind: "missing", reason: "ambiguous", argument, shared, instead };
}

/** Why an argument finds nothing; `finds` says whether another one would. */
export function missing(
  catalogs: readonly Catalog[],
  argument: string,
  readings: readonly Reading[],
  finds: (argument: string) => boolean,
): Missing {
  for (const reading of readings) {
    const inPackage = missingInPackage(reading);
    if (inPackage !== undefined) return inPackage;
  }
  const { prefix, word, within } = readings.at(-1) as Reading;
  const meant =
    meantOf(catalogs, argument, "", finds) ?? (prefix === "" ? undefined : meantOf(within, word, prefix, finds));
  return {
    kind: "missing",
    reason: "unknown",
    what: "package or bundle",
    name: word,
    catalogs: within.map((catalog) => catalogLabel(catalog, catalogs)),
    instead: meant === undefined ? [] : [meant],
  };
}

/** The package is there, its channel or version is not. */
function missingInPackage({ prefix, word, within }: Reading): Missing | undefined {
  const end = word.search(/[@/]/);
  if (end < 0) return undefined;
  const name = word.slice(0, end);
  const separator = word.charAt(end);
  const part = word.slice(end + 1);
  const owners = within.flatMap((catalog) => catalog.packages.get(name) ?? []);
  if (owners.length === 0) return undefined;
  const isVersion = separator === "@";
  const known = isVersion ? versionsOf(owners) : channelsOf(owners);
  const bundles = isVersion ? [] : owners.flatMap((owner) => [...owner.bundles.keys()]);
  const meant = didYouMean(part, known) ?? didYouMean(part, bundles);
  return {
    kind: "missing",
    reason: "unknown",
    what: "part",
    package: name,
    part: isVersion ? "version" : "channel",
    name: part,
    known,
    instead: meant === undefined ? [] : [`${prefix}${name}${separator}${meant}`],
  };
}

/** The nearest argument of the same form; if its second half would find nothing, its first half alone. */
function meantOf(
  catalogs: readonly Catalog[],
  word: string,
  prefix: string,
  finds: (argument: string) => boolean,
): string | undefined {
  const end = word.search(/[@/]/);
  const head = end < 0 ? word : word.slice(0, end);
  const packages = catalogs.flatMap((catalog) => [...catalog.packages.keys()]);
  const names = end >= 0 && prefix === "" ? [...packages, ...catalogs.map(({ name }) => name)] : packages;
  const nearest = didYouMean(head, names);
  const instead = nearest === undefined ? [] : [`${prefix}${nearest}${word.slice(head.length)}`, `${prefix}${nearest}`];
  const bundle = didYouMean(word, bundleNames(catalogs));
  if (bundle !== undefined) instead.push(`${prefix}${bundle}`);
  return instead.find(finds);
}

function* bundleNames(catalogs: readonly Catalog[]): Generator<string> {
  for (const catalog of catalogs) for (const owner of catalog.packages.values()) yield* owner.bundles.keys();
}

function versionsOf(owners: readonly Package[]): readonly string[] {
  const bundles = newestFirst(owners.flatMap((owner) => [...owner.bundles.values()]));
  return [...new Set(bundles.map(({ version }) => printVersion(version)))];
}

function channelsOf(owners: readonly Package[]): readonly string[] {
  return [...new Set(owners.flatMap((owner) => [...owner.channels.keys()]))].sort();
}
