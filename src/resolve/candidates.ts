// Which bundles may a request be given, the best first? OLM's rules (reference: how OLM filters and sorts the entries of
// a subscription), told in docs/how-it-resolves.md.

import { hasEdge } from "../constraint/upgrade-edge-rule.ts";
import type { Catalog, Channel, ChannelEntry, Package } from "../model/catalog.ts";
import type { Installed, Problem, Request, UnavailableCatalog } from "../model/problem.ts";
import { inRange, type Range } from "../semver/blang-range.ts";
import { channelsInOrder, type Node } from "./catalog-index.ts";
import { catalogsCalled, compareCatalogs } from "./catalog-order.ts";
import type { Universe } from "./universe.ts";

/** Why a request has no bundle to choose from. */
export type NoCandidates =
  | { readonly kind: "unavailable"; readonly catalog: string; readonly reason: string }
  | { readonly kind: "no-catalog"; readonly catalog: string }
  | { readonly kind: "no-package" }
  | { readonly kind: "no-channel" }
  | { readonly kind: "no-start" }
  | { readonly kind: "no-version" }
  | { readonly kind: "no-update" };

/** What a request can be given. */
export interface Candidates {
  readonly request: Request;
  /** Bundles to install or to update to, the best first. */
  readonly nodes: readonly Node[];
  /** The channel in which each of them was found. */
  readonly channels: ReadonlyMap<Node, string>;
  /** The operator that it has; staying is the last choice. */
  readonly installed: Installed | undefined;
  /** Why there are no nodes. */
  readonly none: NoCandidates | undefined;
}

/** What a request of a problem can be given. */
export function candidatesOf(request: Request, problem: Problem, universe: Universe): Candidates {
  const installed = problem.installed.find((operator) => operator.name === request.installed);
  const channels = new Map<Node, string>();
  const empty = (none: NoCandidates): Candidates => ({ request, nodes: [], channels, installed, none });

  const catalogs = catalogsOf(request, problem);
  if ("kind" in catalogs) return empty(catalogs);
  const packages = catalogs.flatMap((catalog) => {
    const owner = catalog.packages.get(request.package);
    return owner === undefined ? [] : [{ catalog, owner }];
  });
  if (packages.length === 0) return empty({ kind: "no-package" });
  const places = packages.flatMap(({ catalog, owner }) =>
    channelsFor(request, owner).map((channel) => ({ catalog, channel })),
  );
  if (places.length === 0) return empty({ kind: "no-channel" });

  for (const { catalog, channel } of places) {
    const entries = installed === undefined ? entriesToBegin(request, channel) : entriesAfter(installed, channel);
    for (const { bundle } of entries) {
      if (bundle === undefined || (request.range !== undefined && !inRange(request.range, bundle.version))) continue;
      if (installed !== undefined && request.left?.includes(bundle.name)) continue;
      const node = universe.indexOf(catalog).nodeOf(bundle);
      if (!channels.has(node)) channels.set(node, channel.name);
    }
  }
  if (channels.size === 0) {
    if (installed !== undefined) return empty({ kind: "no-update" });
    return empty({ kind: request.startingCSV === undefined ? "no-version" : "no-start" });
  }
  return { request, nodes: [...channels.keys()], channels, installed, none: undefined };
}

function catalogsOf(request: Request, problem: Problem): readonly Catalog[] | NoCandidates {
  const wanted = request.catalog;
  const { catalogs, unavailable, namespace } = problem;
  const called =
    wanted === undefined
      ? catalogs
      : catalogsCalled<Catalog | UnavailableCatalog>([...catalogs, ...unavailable], wanted);
  const known = called.filter((one) => "packages" in one);
  if (wanted === undefined || known.length > 0) return known.sort((a, b) => compareCatalogs(a, b, namespace));
  const away = called.find((one) => "reason" in one);
  if (away !== undefined) return { kind: "unavailable", catalog: away.name, reason: away.reason };
  return { kind: "no-catalog", catalog: wanted.name };
}

function channelsFor(request: Request, owner: Package): readonly Channel[] {
  if (request.channel === undefined) return channelsInOrder(owner);
  const channel = owner.channels.get(request.channel);
  return channel === undefined ? [] : [channel];
}

/** What a new user may be given; an entry that is asked for by its name or exact version may be a skipped one. */
function entriesToBegin(request: Request, channel: Channel): readonly ChannelEntry[] {
  if (request.startingCSV !== undefined) {
    const entry = channel.entries.get(request.startingCSV);
    return entry === undefined ? [] : [entry];
  }
  if (request.range === undefined || !isExact(request.range)) return channel.chain;
  return [...channel.chain, ...[...channel.entries.values()].filter((entry) => !channel.chain.includes(entry))];
}

function isExact(range: Range): boolean {
  return range.anyOf.length === 1 && range.anyOf[0]?.length === 1 && range.anyOf[0][0]?.operator === "=";
}

/** The entries of the chain that the installed operator can go to, never behind it. */
function entriesAfter(installed: Installed, channel: Channel): readonly ChannelEntry[] {
  const position = channel.chain.findIndex((entry) => entry.name === installed.name);
  const ahead = position === -1 ? channel.chain : channel.chain.slice(0, position);
  return ahead.filter((entry) => hasEdge(installed, entry));
}
