// Which bundles are candidates for a request, best first? OLM's rules (reference: how OLM filters and sorts the
// entries of a subscription), and for ClusterExtensions those of OLM v1 (extension-candidates.ts); see
// docs/how-it-resolves.md.

import type { Catalog, Channel, ChannelEntry, Package } from "../model/catalog.ts";
import { addTo } from "../model/grouped.ts";
import type { CatalogName, Installed, MalformedField, Problem, Request, UnavailableCatalog } from "../model/problem.ts";
import { hasEdge, whyStays } from "../rule/upgrade-edge.ts";
import type { Range } from "../semver/blang-range.ts";
import { compareWithBuild } from "../semver/version.ts";
import { type Candidate, channelsInOrder } from "./catalog-index.ts";
import { catalogsCalled, compareCatalogs, wholeName } from "./catalog-order.ts";
import type { CatalogWorld } from "./catalog-world.ts";
import type { StayOrMoveCause, StaysCause } from "./explain/cause.ts";
import { extensionEntries, isAllowed, isExcluded, mayUse, preferredOf } from "./extension-candidates.ts";
import { type LostPart, lostBundle, lostChannel, lostDocument, lostPackage, plainLost } from "./lost-parts.ts";
import type { Operator } from "./member.ts";

/** Why a request has no candidates. */
export type NoCandidates =
  | { readonly kind: "unavailable"; readonly catalog: string; readonly reason: string }
  /** The cluster has a CatalogSource of that name, but its content was not given. */
  | { readonly kind: "not-given"; readonly catalog: CatalogName }
  /** The requested part was left out, or may have been left out, when the catalog was read. */
  | { readonly kind: "unread"; readonly lost: LostPart }
  | { readonly kind: "no-catalog"; readonly catalog: string }
  /** Which catalogs the cluster has could not be read; the one that is requested by name. */
  | { readonly kind: "unread-catalogs"; readonly catalog?: string | undefined }
  /** The selector of a ClusterExtension matches no catalog; or a field of it cannot be read. */
  | { readonly kind: "no-selected" }
  | ({ readonly kind: "malformed" } & MalformedField)
  /** `no-successor`: versions match, but no upgrade edge leads to one from the installed operator, which does not. */
  | { readonly kind: "no-package" | "no-channel" | "no-start" | "no-version" | "no-successor" | "no-update" };

/** The candidates of a request. */
export interface Candidates {
  readonly request: Request;
  /** Bundles to install or to update to, the best first. */
  readonly nodes: readonly Candidate[];
  /** The channel of each candidate. */
  readonly channels: ReadonlyMap<Candidate, string>;
  /** The installed operator that the request claims; staying is the last choice. */
  readonly installed: Installed | undefined;
  /** Staying does not satisfy the request: the range of a ClusterExtension excludes the installed version. */
  readonly mustMove?: true | undefined;
  /** A ClusterExtension could get something newer than the first, which is deprecated or in a catalog that comes later. */
  readonly isNotNewest?: true | undefined;
  /** Why there are no candidates. */
  readonly none: NoCandidates | undefined;
}

/** True if the candidates are unknown because the source was not read, or only in part. */
export function isUnread({ none }: Pick<Candidates, "none">): boolean {
  return none !== undefined && UNREAD.has(none.kind);
}

const UNREAD: ReadonlySet<NoCandidates["kind"]> = new Set(["unavailable", "not-given", "unread", "unread-catalogs"]);

/** The reason without live objects, as an answer holds it. */
export function plainNone(none: NoCandidates): NoCandidates {
  return none.kind === "unread" ? { ...none, lost: plainLost(none.lost) } : none;
}

/** True if there are no candidates, for a reason that is known without a search. */
export function hasNothing({ none }: Pick<Candidates, "none">): boolean {
  return none !== undefined && none.kind !== "no-update";
}

/** A request whose operator is installed, but whose channel, package or catalog is gone or was not read. */
export function lacksSource({ installed, none }: Pick<Candidates, "installed" | "none">): boolean {
  return installed !== undefined && hasNothing({ none });
}

/** The candidates of a request of a problem. */
export function candidatesOf(request: Request, problem: Problem, world: CatalogWorld): Candidates {
  const installed = problem.installed.find((operator) => operator.name === request.installed);
  const channels = new Map<Candidate, string>();
  const mustMove = installed !== undefined && isExcluded(request, installed) && { mustMove: true as const };
  const empty = (none: NoCandidates): Candidates => ({
    request,
    nodes: [],
    channels: new Map(),
    installed,
    none: problem.areCatalogsUnread ? unlessUnread(none, request) : none,
    ...mustMove,
  });

  const { extension } = request;
  if (extension?.malformed !== undefined) return empty({ kind: "malformed", ...extension.malformed });
  const catalogs = catalogsOf(request, problem);
  if ("kind" in catalogs) return empty(catalogs);
  const unread = (...find: readonly ((catalog: Catalog) => LostPart | undefined)[]): NoCandidates | undefined => {
    const [lost] = find.flatMap((one) => catalogs.flatMap((catalog) => one(catalog) ?? []));
    return lost && { kind: "unread", lost };
  };
  const ofPackage = (catalog: Catalog): LostPart | undefined => lostPackage(catalog, request.package);
  const ofChannel = (catalog: Catalog): LostPart | undefined =>
    channelNames(request)
      .map((channel) => lostChannel(catalog, request.package, channel))
      .find((lost) => lost !== undefined);
  const packages = catalogs.flatMap((catalog) => {
    const owner = catalog.packages.get(request.package);
    return owner === undefined ? [] : [{ catalog, owner }];
  });
  if (packages.length === 0)
    return empty(unread(ofPackage, lostDocument) ?? awayFor(request, problem) ?? { kind: "no-package" });
  const places = packages.flatMap(({ catalog, owner }) =>
    channelsFor(request, owner).map((channel) => ({ catalog, channel })),
  );
  if (places.length === 0) return empty(unread(ofPackage, ofChannel, lostDocument) ?? { kind: "no-channel" });
  const holes = new Map<Catalog, string[]>();
  for (const { catalog, channel } of places) {
    for (const { name, bundle } of entriesIn(channel, request, installed)) {
      if (bundle === undefined) addTo(holes, catalog, name);
      if (bundle === undefined || !isAllowed(request, bundle.version)) continue;
      if (installed !== undefined && request.left?.includes(bundle.name)) continue;
      const node = world.indexOf(catalog).nodeOf(bundle);
      if (!channels.has(node)) channels.set(node, channel.name);
    }
  }
  const found = extension === undefined ? channels : preferredOf(channels, request, installed, packages);
  if (found.size === 0) {
    const lost = unread(ofPackage, ofChannel, (catalog) =>
      lostBundle(catalog, request.package, holes.get(catalog) ?? []),
    );
    if (lost !== undefined) return empty(lost);
    if (installed !== undefined && !mustMove) return empty({ kind: "no-update" });
    const { installed: _, ...fresh } = request;
    if (installed !== undefined && candidatesOf(fresh, problem, world).nodes.length > 0)
      return empty({ kind: "no-successor" });
    return empty({ kind: request.startingCSV === undefined ? "no-version" : "no-start" });
  }
  const nodes = [...found.keys()];
  const isPassed = ({ bundle }: Candidate): boolean =>
    nodes[0] !== undefined && compareWithBuild(bundle.version, nodes[0].bundle.version) > 0;
  const isNotNewest = extension !== undefined && [...channels.keys()].some(isPassed) && { isNotNewest: true as const };
  return { request, nodes, channels: found, installed, none: undefined, ...mustMove, ...isNotNewest };
}

/** If the catalogs of the cluster could not be read, one that is not known may exist. */
function unlessUnread(none: NoCandidates, { catalog }: Request): NoCandidates {
  if (none.kind === "no-catalog") return { kind: "unread-catalogs", catalog: none.catalog };
  const mayBeElsewhere = none.kind === "no-selected" || (none.kind === "no-package" && catalog === undefined);
  return mayBeElsewhere ? { kind: "unread-catalogs" } : none;
}

/** The entries of a channel from which a request chooses. */
function entriesIn(channel: Channel, request: Request, installed: Installed | undefined): readonly ChannelEntry[] {
  if (request.extension !== undefined) return extensionEntries(channel, request.extension, installed);
  return installed === undefined ? entriesToBegin(request, channel) : entriesAfter(installed, channel);
}

/** The channels that a request names; without any, one undefined. */
function channelNames({ channel, extension }: Request): readonly (string | undefined)[] {
  const named = extension?.channels ?? [];
  return named.length > 0 ? named : [channel];
}

/** A catalog that was not read, and that a ClusterExtension or a request of no catalog may use: it may have the package. */
function awayFor({ extension, catalog }: Request, { unavailable, notGiven = [] }: Problem): NoCandidates | undefined {
  if (extension === undefined) {
    const [source] = catalog === undefined ? notGiven : [];
    return source && { kind: "not-given", catalog: source };
  }
  const away = unavailable.find((one) => mayUse(extension, one));
  if (away !== undefined) return { kind: "unavailable", catalog: away.name, reason: away.reason };
  const source = notGiven.find((one) => mayUse(extension, one));
  return source && { kind: "not-given", catalog: source };
}

function catalogsOf(request: Request, problem: Problem): readonly Catalog[] | NoCandidates {
  const wanted = request.catalog;
  const { catalogs, unavailable, namespace, notGiven = [] } = problem;
  const { extension } = request;
  if (extension !== undefined) {
    const own = catalogs.filter((one) => mayUse(extension, one)).sort((a, b) => compareCatalogs(a, b, namespace));
    if (own.length > 0) return own;
    const isNone = extension.catalogs !== undefined || catalogs.length > 0;
    return awayFor(request, problem) ?? { kind: isNone ? "no-selected" : "no-package" };
  }
  const called =
    wanted === undefined
      ? catalogs
      : catalogsCalled<Catalog | UnavailableCatalog>([...catalogs, ...unavailable], wanted);
  const known = called.filter((one) => "packages" in one);
  if (wanted === undefined || known.length > 0) return known.sort((a, b) => compareCatalogs(a, b, namespace));
  const away = called.find((one) => "reason" in one);
  if (away !== undefined) return { kind: "unavailable", catalog: away.name, reason: away.reason };
  const [source] = catalogsCalled(notGiven, wanted);
  if (source !== undefined) return { kind: "not-given", catalog: source };
  // If another catalog has the name, the namespace is wrong.
  const hasNamesake = [...catalogs, ...unavailable].some(({ name }) => name === wanted.name);
  return { kind: "no-catalog", catalog: hasNamesake ? wholeName(wanted) : wanted.name };
}

function channelsFor(request: Request, owner: Package): readonly Channel[] {
  const { extension } = request;
  if (extension !== undefined && extension.channels.length > 0)
    return channelsInOrder(owner).filter(({ name }) => extension.channels.includes(name));
  if (request.channel === undefined) return channelsInOrder(owner);
  const channel = owner.channels.get(request.channel);
  return channel === undefined ? [] : [channel];
}

/** Candidates for a first installation. Skipped entries count only if the request names them or their exact version. */
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

/** The entries of the chain that the installed operator can be updated to; never a downgrade. */
function entriesAfter(installed: Installed, channel: Channel): readonly ChannelEntry[] {
  const position = channel.chain.findIndex((entry) => entry.name === installed.name);
  const ahead = position === -1 ? channel.chain : channel.chain.slice(0, position);
  return ahead.filter((entry) => hasEdge(installed, entry));
}

/** It stays, or is updated to a candidate of the requests that claim it. */
export function stayOrMoveOf(installed: Installed, claims: readonly Candidates[]): StayOrMoveCause | StaysCause {
  const targets = [...new Set(claims.flatMap(({ nodes }) => nodes))];
  const why = whyStays(
    installed,
    claims.map((one) => ({ targets: one.nodes.length, lacksSource: lacksSource(one) })),
  );
  if (why !== undefined)
    return { kind: "stays", installed, why, targets, ...(why === "no-source" && { open: claims.find(lacksSource) }) };
  const channels = new Set(claims.flatMap((one) => [...one.channels.values()]));
  return { kind: "stay-or-move", installed, channels: [...channels], targets };
}

/** The index of the candidate that the request got. */
export function rankOf({ nodes }: Candidates, members: ReadonlySet<Operator>): number {
  const rank = nodes.findIndex((node) => members.has(node));
  return rank === -1 ? nodes.length : rank;
}

/** The members that satisfy a request, best first; its installed operator is the last. */
export function membersOf({
  nodes,
  installed,
  mustMove,
}: Pick<Candidates, "nodes" | "installed" | "mustMove">): readonly Operator[] {
  return installed === undefined || mustMove ? nodes : [...nodes, installed];
}

/** The first request that an operator of the answer satisfies. */
export function requestOf(all: readonly Candidates[], self: Operator): Candidates | undefined {
  return all.find(({ nodes, installed }) => ("bundle" in self ? nodes.includes(self) : installed === self));
}
