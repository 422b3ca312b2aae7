// Does a request name what does not exist? A catalog, package or channel that nobody has, with what was probably meant.

import type { Catalog, Package } from "../model/catalog.ts";
import { inside } from "../model/place.ts";
import type { CatalogName, Problem } from "../model/problem.ts";
import { catalogsCalled, wholeName } from "../resolve/catalog-order.ts";
import { lostChannel, lostPackage } from "../resolve/lost-parts.ts";
import type { Warning } from "../resolve/resolution.ts";
import type { Wish } from "../resolve/what-if.ts";
import { didYouMean } from "../spelling/did-you-mean.ts";

/** The field of a Subscription that names something. */
const FIELDS = { catalog: "source", package: "name", channel: "channel" } as const;

/**
 * A warning for each request of a problem that names something unknown. What is asked for of packages that are `replaced`
 * by --instead stands nowhere.
 */
export function unknownNames(problem: Problem, replaced: ReadonlySet<string> = new Set()): readonly Warning[] {
  return problem.requests.flatMap((request) => {
    const found = unknownIn(request, problem);
    if (found === undefined) return [];
    const { what, message } = found;
    const stands = replaced.has(request.package) ? undefined : request.place;
    const place = stands && inside(stands, "spec", FIELDS[what]);
    return [{ code: `unknown-${what}`, message, place }];
  });
}

/** What a wish names that does not exist, in words. */
export function unknownInWish(wish: Wish, problem: Problem): string | undefined {
  return unknownIn(wish, problem)?.message;
}

/** What is not known. */
interface Unknown {
  readonly what: keyof typeof FIELDS;
  readonly message: string;
}

function unknownIn(wish: Omit<Wish, "range">, { catalogs, unavailable, notGiven = [] }: Problem): Unknown | undefined {
  const { catalog, package: name, channel } = wish;
  const called =
    catalog === undefined ? [...catalogs, ...unavailable] : catalogsCalled([...catalogs, ...unavailable], catalog);
  // What a catalog has that could not be loaded is not known.
  if (called.some((one) => "reason" in one)) return undefined;
  const asked = called as readonly Catalog[];
  if (catalog !== undefined && asked.length === 0 && catalogsCalled(notGiven, catalog).length > 0) return undefined;
  if (catalog !== undefined && asked.length === 0)
    return {
      what: "catalog",
      message: `there is no catalog ${quote(wholeName(catalog))}${meantCatalog(catalog, catalogs)}`,
    };
  // What was left out because of a mistake in it is not unknown.
  if (asked.some((one) => lostPackage(one, name) ?? lostChannel(one, name, channel))) return undefined;
  const owners = asked.flatMap((one) => one.packages.get(name) ?? []);
  if (owners.length === 0)
    return { what: "package", message: `${whereText(asked)} no package ${quote(name)}${meant(name, names(asked))}` };
  if (channel === undefined || owners.some((owner) => owner.channels.has(channel))) return undefined;
  const message = `package ${name} has no channel ${quote(channel)}${meant(channel, channelsOf(owners))}`;
  return { what: "channel", message };
}

function meant(word: string, known: Iterable<string>): string {
  const nearest = didYouMean(word, known);
  return nearest === undefined ? "" : `; did you mean ${nearest}?`;
}

/** Where catalogs have the name, only the namespace can be wrong. */
function meantCatalog(wanted: CatalogName, catalogs: readonly Catalog[]): string {
  const same = catalogs.filter(({ name }) => name === wanted.name).map(wholeName);
  return same.length > 0
    ? `; there ${same.length === 1 ? "is" : "are"} ${same.join(", ")}`
    : meant(
        wanted.name,
        catalogs.map(({ name }) => name),
      );
}

function whereText(catalogs: readonly Catalog[]): string {
  if (catalogs.length === 0) return "there is no catalog, and so";
  return catalogs.length === 1 ? `catalog ${catalogs[0]?.name} has` : "the catalogs have";
}

function* names(catalogs: readonly Catalog[]): Generator<string> {
  for (const { packages } of catalogs) yield* packages.keys();
}

function* channelsOf(owners: readonly Package[]): Generator<string> {
  for (const { channels } of owners) yield* channels.keys();
}

/** A name as somebody wrote it, kept to a length that a message can hold. */
function quote(name: string): string {
  return JSON.stringify(name.length <= 80 ? name : `${name.slice(0, 79)}…`);
}
