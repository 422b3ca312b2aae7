// Does a request name what does not exist? A catalog, package or channel that nobody has, with what was probably meant.

import type { Catalog, Package } from "../model/catalog.ts";
import type { CatalogName, Problem, Request } from "../model/problem.ts";
import type { Warning } from "../resolve/resolution.ts";
import { didYouMean } from "../spelling/did-you-mean.ts";

/** A warning for each request of a problem that names something unknown. */
export function unknownNames(problem: Problem): readonly Warning[] {
  return problem.requests.flatMap((request) => {
    const found = unknownIn(request, problem);
    return found === undefined ? [] : [{ ...found, place: request.place }];
  });
}

function unknownIn(request: Request, { catalogs, unavailable }: Problem): Warning | undefined {
  const { catalog, package: name, channel } = request;
  const asked = catalogs.filter((one) => isMeant(one, catalog));
  // What a catalog has that could not be loaded is not known.
  if (unavailable.some((one) => isMeant(one, catalog))) return undefined;
  if (catalog !== undefined && asked.length === 0)
    return unknown("catalog", `there is no catalog ${quote(catalog.name)}`, catalog.name, catalogs.map(nameOf));
  const owners = asked.flatMap((one) => one.packages.get(name) ?? []);
  if (owners.length === 0)
    return unknown("package", `${whereText(asked)} no package ${quote(name)}`, name, names(asked));
  if (channel === undefined || owners.some((owner) => owner.channels.has(channel))) return undefined;
  return unknown("channel", `package ${name} has no channel ${quote(channel)}`, channel, channelsOf(owners));
}

function isMeant({ name, namespace }: CatalogName, wanted: CatalogName | undefined): boolean {
  if (wanted === undefined) return true;
  const isOther = namespace !== undefined && wanted.namespace !== undefined && namespace !== wanted.namespace;
  return name === wanted.name && !isOther;
}

function unknown(what: string, message: string, word: string, known: Iterable<string>): Warning {
  const meant = didYouMean(word, known);
  return { code: `unknown-${what}`, message: meant === undefined ? message : `${message}; did you mean ${meant}?` };
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

function nameOf({ name }: Catalog): string {
  return name;
}

/** A name as somebody wrote it, kept to a length that a message can hold. */
function quote(name: string): string {
  return JSON.stringify(name.length <= 80 ? name : `${name.slice(0, 79)}…`);
}
