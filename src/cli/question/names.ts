// Does a request name what does not exist? A catalog, package or channel that nobody has, with what was probably meant.

import type { Catalog, Package } from "../../model/catalog.ts";
import { inside, plainPlace } from "../../model/place.ts";
import type { CatalogName, Problem } from "../../model/problem.ts";
import { unknownText } from "../../render/sentence/warning.ts";
import { catalogsCalled, wholeName } from "../../resolve/catalog-order.ts";
import { lostChannel, lostPackage } from "../../resolve/lost-parts.ts";
import type { NamedRequest } from "../../resolve/prepare/given.ts";
import type { UnknownName, Warning } from "../../resolve/warning.ts";
import { didYouMean } from "../../text/did-you-mean.ts";

/** The field of a Subscription that names something. */
const FIELDS = { "unknown-catalog": "source", "unknown-package": "name", "unknown-channel": "channel" } as const;

/**
 * A warning for each request of a problem that names something unknown. What is asked for of packages that are `replaced`
 * by --instead stands nowhere.
 */
export function unknownNames(problem: Problem, replaced: ReadonlySet<string> = new Set()): readonly Warning[] {
  return problem.requests.flatMap((request) => {
    const found = unknownIn(request, problem);
    if (found === undefined) return [];
    const stands = replaced.has(request.package) ? undefined : request.place;
    return [{ ...found, ...(stands && { place: plainPlace(inside(stands, "spec", FIELDS[found.code])) }) }];
  });
}

/** What a wish names that does not exist, in words. */
export function unknownInWish(wish: NamedRequest, problem: Problem): string | undefined {
  const found = unknownIn(wish, problem);
  return found && unknownText(found);
}

function unknownIn(
  wish: Pick<NamedRequest, "catalog" | "package" | "channel">,
  { catalogs, unavailable, notGiven = [] }: Problem,
): UnknownName | undefined {
  const { catalog, package: name, channel } = wish;
  const called =
    catalog === undefined ? [...catalogs, ...unavailable] : catalogsCalled([...catalogs, ...unavailable], catalog);
  // What a catalog has that could not be loaded is not known.
  if (called.some((one) => "reason" in one)) return undefined;
  const asked = called as readonly Catalog[];
  if (catalog !== undefined && asked.length === 0 && catalogsCalled(notGiven, catalog).length > 0) return undefined;
  if (catalog !== undefined && asked.length === 0) return unknownCatalog(catalog, catalogs);
  // What was left out because of a mistake in it is not unknown.
  if (asked.some((one) => lostPackage(one, name) ?? lostChannel(one, name, channel))) return undefined;
  const owners = asked.flatMap((one) => one.packages.get(name) ?? []);
  if (owners.length === 0) {
    const [only, ...others] = asked;
    return {
      code: "unknown-package",
      package: name,
      ...(only !== undefined && others.length === 0 && { catalog: only.name }),
      ...(only === undefined && { isWithoutCatalogs: true }),
      ...meant(name, names(asked)),
    };
  }
  if (channel === undefined || owners.some((owner) => owner.channels.has(channel))) return undefined;
  return { code: "unknown-channel", package: name, channel, ...meant(channel, channelsOf(owners)) };
}

function meant(word: string, known: Iterable<string>): { readonly meant?: string } {
  const nearest = didYouMean(word, known);
  return nearest === undefined ? {} : { meant: nearest };
}

/** Where catalogs have the name, only the namespace can be wrong. */
function unknownCatalog(wanted: CatalogName, catalogs: readonly Catalog[]): UnknownName {
  const sameName = catalogs.filter(({ name }) => name === wanted.name).map(wholeName);
  const known = catalogs.map(({ name }) => name);
  return {
    code: "unknown-catalog",
    catalog: wholeName(wanted),
    sameName,
    ...(sameName.length === 0 && meant(wanted.name, known)),
  };
}

function* names(catalogs: readonly Catalog[]): Generator<string> {
  for (const { packages } of catalogs) yield* packages.keys();
}

function* channelsOf(owners: readonly Package[]): Generator<string> {
  for (const { channels } of owners) yield* channels.keys();
}
