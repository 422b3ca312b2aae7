// Does a request name a catalog, package or channel that does not exist? Which one was probably meant? And which other
// warnings belong to the requests of a namespace?

import type { Catalog, Package } from "../../model/catalog.ts";
import { inside, plainPlace } from "../../model/place.ts";
import type { CatalogName, ExtensionTerms, Problem, Request } from "../../model/problem.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { catalogsCalled, wholeName } from "../catalog-order.ts";
import { mayUse } from "../extension-candidates.ts";
import { lostChannel, lostPackage } from "../lost-parts.ts";
import type { UnknownName, Warning } from "../warning.ts";
import { unavailableCatalogs } from "./not-given.ts";
import type { NamedRequest, PreparationWarning } from "./problem-inputs.ts";

/** The field of a Subscription that has the name, and that of the catalog source of a ClusterExtension. */
const FIELDS = { "unknown-catalog": "source", "unknown-package": "name", "unknown-channel": "channel" } as const;
const EXTENSION_FIELDS = {
  "unknown-catalog": "selector",
  "unknown-package": "packageName",
  "unknown-channel": "channels",
} as const;

/** A warning for each request that names something unknown. Requests for `replaced` packages have no place in the input. */
export function unknownNames(problem: Problem, replaced: ReadonlySet<string> = new Set()): readonly Warning[] {
  return problem.requests.flatMap((request) => {
    const found = unknownName(request, problem);
    if (found === undefined) return [];
    const place = replaced.has(request.package) ? undefined : request.place;
    const path =
      request.extension === undefined
        ? ["spec", FIELDS[found.code]]
        : ["spec", "source", "catalog", EXTENSION_FIELDS[found.code]];
    return [{ ...found, ...(place && { place: plainPlace(inside(place, ...path)) }) }];
  });
}

/** The first part of a request that names something unknown. */
export function unknownName(
  request: Pick<NamedRequest, "catalog" | "package" | "channel"> & Pick<Request, "extension">,
  problem: Problem,
): UnknownName | undefined {
  const { extension } = request;
  if (extension !== undefined) return unknownTerm(request.package, extension, problem);
  const { catalogs, unavailable, notGiven = [], areCatalogsUnread } = problem;
  const { catalog, package: name, channel } = request;
  const called =
    catalog === undefined ? [...catalogs, ...unavailable] : catalogsCalled([...catalogs, ...unavailable], catalog);
  // The content of a catalog that could not be loaded is unknown.
  if (called.some((one) => "reason" in one)) return undefined;
  const asked = called as readonly Catalog[];
  if (catalog !== undefined && asked.length === 0 && catalogsCalled(notGiven, catalog).length > 0) return undefined;
  if (catalog !== undefined && asked.length === 0)
    return areCatalogsUnread ? undefined : unknownCatalog(catalog, catalogs);
  // An invalid package or channel was left out; its name is known.
  if (asked.some((one) => lostPackage(one, name) ?? lostChannel(one, name, channel))) return undefined;
  const owners = asked.flatMap((one) => one.packages.get(name) ?? []);
  if (owners.length === 0) return areCatalogsUnread && catalog === undefined ? undefined : unknownPackage(name, asked);
  if (channel === undefined || owners.some((owner) => owner.channels.has(channel))) return undefined;
  return { code: "unknown-channel", package: name, channel, ...meant(channel, channelsOf(owners)) };
}

function unknownPackage(name: string, asked: readonly Catalog[]): UnknownName {
  const [only, ...others] = asked;
  return {
    code: "unknown-package",
    package: name,
    ...(only !== undefined && others.length === 0 && { catalog: only.name }),
    ...(only === undefined && { isWithoutCatalogs: true }),
    ...meant(name, names(asked)),
  };
}

/** The package of a ClusterExtension, or all of its channels, if the catalogs that it may use were read and lack them. */
function unknownTerm(
  name: string,
  terms: ExtensionTerms,
  { catalogs, unavailable, notGiven = [], areCatalogsUnread }: Problem,
): UnknownName | undefined {
  const asked = catalogs.filter((one) => mayUse(terms, one));
  const isUnread = areCatalogsUnread || [...unavailable, ...notGiven].some((one) => mayUse(terms, one));
  if (isUnread || terms.malformed !== undefined || (terms.catalogs !== undefined && asked.length === 0))
    return undefined;
  if (asked.some((one) => lostPackage(one, name) ?? lostChannel(one, name, undefined))) return undefined;
  const owners = asked.flatMap((one) => one.packages.get(name) ?? []);
  if (owners.length === 0) return unknownPackage(name, asked);
  const [channel] = terms.channels;
  const isKnown = owners.some(({ channels }) => terms.channels.some((one) => channels.has(one)));
  if (channel === undefined || isKnown) return undefined;
  return { code: "unknown-channel", package: name, channel, ...meant(channel, channelsOf(owners)) };
}

function meant(word: string, known: Iterable<string>): { readonly meant?: string } {
  const nearest = didYouMean(word, known);
  return nearest === undefined ? {} : { meant: nearest };
}

/** If there are catalogs of this name, only the namespace is wrong. */
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

/** Whether other namespaces are resolved too; then a warning about all namespaces is not repeated for each. */
interface Scope {
  readonly isOneOfSeveral: boolean;
  /** The packages whose requests were replaced by a what-if change. */
  readonly replaced: readonly string[];
}

/** The warnings about what a problem requests. */
export function requestWarnings(
  problem: Problem,
  preparation: readonly PreparationWarning[],
  { isOneOfSeveral, replaced }: Scope,
): readonly PreparationWarning[] {
  return [
    ...unknownNames(problem, new Set(replaced)),
    ...unavailableCatalogs(problem),
    ...preparation.filter(({ namespace }) =>
      namespace === undefined ? !isOneOfSeveral : namespace === problem.namespace,
    ),
  ];
}
