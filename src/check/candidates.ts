// Which bundles satisfy a request, most preferred first? Written from docs/how-it-resolves.md, "Candidates of a
// request".

import type { Bundle, Catalog, Channel, ChannelEntry, Package } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import type { CatalogName, Installed, Problem, Request } from "../model/problem.ts";
import { inRange } from "../semver/blang-range.ts";
import { compareVersions, type Version } from "../semver/version.ts";
import type { Chosen } from "./answer.ts";
import { extensionCandidates } from "./extension.ts";

/** What satisfies a request: bundles, best first, then its installed operator. */
export interface Candidates {
  readonly bundles: readonly Chosen[];
  readonly installed: Installed | undefined;
  /** It is enough that the installed operator stays, as far as its version is concerned. */
  readonly mayStay: boolean;
  /** The requested source exists and was read completely: then it is enough that the operator stays. */
  readonly hasSource: boolean;
}

/** The candidates of a request. */
export function candidatesOf(problem: Problem, request: Request): Candidates {
  const installed =
    request.installed === undefined ? undefined : problem.installed.find(({ name }) => name === request.installed);
  if (request.extension !== undefined) return extensionCandidates(problem, request, installed);
  const bundles: Chosen[] = [];
  for (const catalog of catalogsOf(problem, request.catalog)) {
    const owner = catalog.packages.get(request.package);
    if (owner === undefined) continue;
    const seen = new Set<Bundle>();
    for (const channel of channelsOf(owner, request.channel)) {
      const entries = installed === undefined ? firstEntries(channel, request) : updates(channel, request, installed);
      for (const { bundle } of entries) {
        if (bundle === undefined || seen.has(bundle)) continue;
        seen.add(bundle);
        bundles.push({ catalog, bundle });
      }
    }
  }
  return { bundles, installed, mayStay: true, hasSource: bundles.length > 0 || wasRead(problem, request, installed) };
}

/** Does the requested channel exist, and was nothing left out of it, or next to it, that could have been better? */
function wasRead(problem: Problem, request: Request, installed: Installed | undefined): boolean {
  const { package: owner, channel } = request;
  const catalogs = catalogsOf(problem, request.catalog);
  const channels = catalogs.flatMap(({ packages }) => {
    const found = packages.get(owner);
    return found === undefined ? [] : channelsOf(found, channel);
  });
  const hasHole = (one: Channel): boolean =>
    installed !== undefined &&
    newerThan(one, installed).some((entry) => entry.bundle === undefined && leadsFrom(entry, installed));
  return channels.length > 0 && !catalogs.some((one) => isIncomplete(one, request)) && !channels.some(hasHole);
}

/** Was the package, or a suitable channel of it, left out of a catalog because of an error? */
function isIncomplete({ packages, findings }: Catalog, { package: owner, channel }: Request): boolean {
  const found = packages.get(owner);
  return findings.some((one) => {
    if (found === undefined) return one.dropped === "package" && one.package === owner;
    if (one.dropped !== "channel" || (one.package !== undefined && one.package !== owner)) return false;
    if (channel === undefined) return true;
    return !found.channels.has(channel) && (one.channel === undefined || one.channel === channel);
  });
}

/** The index of the first candidate that is present; undefined if none is. */
export function rankOf(
  candidates: Candidates,
  isChosen: (bundle: Chosen) => boolean,
  isKept: (operator: Installed) => boolean,
): number | undefined {
  const rank = candidates.bundles.findIndex(isChosen);
  if (rank >= 0) return rank;
  const { installed, mayStay } = candidates;
  return installed !== undefined && mayStay && isKept(installed) ? candidates.bundles.length : undefined;
}

/** The fields of a catalog that decide its order. */
interface Ordered extends CatalogName {
  readonly priority: number;
}

/** The order of catalogs for a request without one: priority, those of this namespace, names. */
export function compareCatalogs(a: Ordered, b: Ordered, namespace: string): number {
  return (
    b.priority - a.priority ||
    Number(b.namespace === namespace) - Number(a.namespace === namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.namespace ?? "", b.namespace ?? "")
  );
}

/** The catalogs of a request, in order. */
function catalogsOf(problem: Problem, wanted: CatalogName | undefined): readonly Catalog[] {
  const inOrder = problem.catalogs.toSorted((a, b) => compareCatalogs(a, b, problem.namespace));
  if (wanted === undefined) return inOrder;
  const namesakes = [...problem.catalogs, ...problem.unavailable].filter(({ name }) => name === wanted.name);
  const isExact = namesakes.some(({ namespace }) => namespace === wanted.namespace);
  const namespaceMeant = isExact ? wanted.namespace : undefined;
  return inOrder.filter(
    ({ name, namespace }) => name === wanted.name && (wanted.namespace === undefined || namespace === namespaceMeant),
  );
}

function channelsOf(owner: Package, wanted: string | undefined): readonly Channel[] {
  const isDefault = ({ name }: Channel): number => Number(name === owner.defaultChannel);
  return [...owner.channels.values()]
    .filter(({ name }) => wanted === undefined || name === wanted)
    .sort((a, b) => isDefault(b) - isDefault(a) || compareText(a.name, b.name));
}

/** The entries for a first installation. */
function firstEntries(channel: Channel, { startingCSV, range }: Request): readonly ChannelEntry[] {
  if (startingCSV !== undefined) {
    const entry = channel.entries.get(startingCSV);
    return entry === undefined || !isInside(entry, range) ? [] : [entry];
  }
  const exact = range && exactVersion(range);
  const inChain = channel.chain.filter((entry) => isInside(entry, range));
  if (exact === undefined) return inChain;
  const isSkippedOne = (entry: ChannelEntry): boolean =>
    entry.bundle !== undefined && compareVersions(entry.bundle.version, exact) === 0 && !channel.chain.includes(entry);
  return [...inChain, ...[...channel.entries.values()].filter(isSkippedOne)];
}

/** The possible updates of an operator: never to itself or towards the tail, if it is in the chain. */
function updates(channel: Channel, { range, left = [] }: Request, installed: Installed): readonly ChannelEntry[] {
  return newerThan(channel, installed).filter(
    (entry) => leadsFrom(entry, installed) && isInside(entry, range) && !left.includes(entry.name),
  );
}

/** The chain above an operator that is in it; all of it otherwise. */
function newerThan({ chain }: Channel, { name: running }: Installed): readonly ChannelEntry[] {
  const own = chain.findIndex(({ name }) => name === running);
  return own < 0 ? chain : chain.slice(0, own);
}

function leadsFrom({ replaces, skips, skipRange }: ChannelEntry, { name: old, version }: Installed): boolean {
  if (replaces === old || skips.includes(old)) return true;
  return skipRange !== undefined && version !== undefined && inRange(skipRange, version);
}

function isInside({ bundle }: ChannelEntry, range: Request["range"]): boolean {
  return range === undefined || (bundle !== undefined && inRange(range, bundle.version));
}

/** The version of a range that allows exactly one. */
function exactVersion({ anyOf }: NonNullable<Request["range"]>): Version | undefined {
  const only = anyOf.length === 1 && anyOf[0]?.length === 1 ? anyOf[0][0] : undefined;
  return only?.operator === "=" ? only.version : undefined;
}
