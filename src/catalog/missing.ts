// What is said when the catalogs do not have what the user asked for? What is missing, and what was probably meant.

import type { Catalog, Package } from "../model/catalog.ts";
import { safeText } from "../render/kit/safe-text.ts";
import { printVersion } from "../semver/version.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { catalogLabel, newestFirst } from "./order.ts";

/** An argument that means nothing, or more than one thing. */
export interface Missing {
  readonly kind: "missing";
  readonly reason: "unknown" | "ambiguous";
  /** What is wrong and what to do, in one sentence that is safe for a terminal. */
  readonly message: string;
  /** Arguments that would find something: the one that was probably meant, or all that could be meant. */
  readonly instead: readonly string[];
}

/** One way to read an argument: what is looked for, and where. */
export interface Reading {
  /** The part of the argument that names a catalog. */
  readonly prefix: string;
  readonly word: string;
  readonly within: readonly Catalog[];
}

const MAX_LISTED = 8;

/** An argument that means several things. */
export function ambiguous(argument: string, why: string, instead: readonly string[]): Missing {
  const message = `${quote(argument)} is ambiguous, because ${why}; say which one: ${list(instead)}`;
  return { kind: "missing", reason: "ambiguous", message, instead };
}

/** An argument that means nothing; `finds` tells whether another one would. */
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
  const where = catalogs.length === 0 ? "; there is no catalog" : ` in ${whereText(within, catalogs)}`;
  const meant =
    meantOf(catalogs, argument, "", finds) ?? (prefix === "" ? undefined : meantOf(within, word, prefix, finds));
  return unknown(`there is no package or bundle ${quote(word)}${where}`, meant, []);
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
  return unknown(
    `package ${name} has no ${isVersion ? "version" : "channel"} ${quote(part)}`,
    meant && `${prefix}${name}${separator}${meant}`,
    known,
  );
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

function unknown(what: string, meant: string | undefined, known: readonly string[]): Missing {
  const parts = [
    what,
    ...(known.length > 0 ? [`it has ${list(known)}`] : []),
    ...(meant === undefined ? [] : [`did you mean ${safeText(meant)}?`]),
  ];
  return { kind: "missing", reason: "unknown", message: parts.join("; "), instead: meant === undefined ? [] : [meant] };
}

function whereText(within: readonly Catalog[], catalogs: readonly Catalog[]): string {
  const labels = within.map((catalog) => catalogLabel(catalog, catalogs));
  return labels.length === 1 ? `catalog ${list(labels)}` : `the catalogs ${list(labels)}`;
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(safeText).join(", ");
  return names.length <= MAX_LISTED ? shown : `${shown} and ${names.length - MAX_LISTED} more`;
}

/** What the user wrote, kept to a length that a message can hold. */
function quote(text: string): string {
  return safeText(JSON.stringify(text.length <= 120 ? text : `${text.slice(0, 117)}…`));
}
