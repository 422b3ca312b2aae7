// What would satisfy a request, the most preferred first? Written from docs/how-it-resolves.md, "Candidates of a request".

import type { Bundle, Catalog, Channel, ChannelEntry, Package } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import type { CatalogName, Installed, Problem, Request } from "../model/problem.ts";
import { inRange } from "../semver/blang-range.ts";
import { compareVersions, type Version } from "../semver/version.ts";
import type { Chosen } from "./answer.ts";

/** What satisfies a request: bundles, best first, then the operator that it has. */
export interface Candidates {
  readonly bundles: readonly Chosen[];
  readonly installed: Installed | undefined;
}

/** The candidates of a request. */
export function candidatesOf(problem: Problem, request: Request): Candidates {
  const installed =
    request.installed === undefined ? undefined : problem.installed.find(({ name }) => name === request.installed);
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
  return { bundles, installed };
}

/** The index of the first candidate that is there; nothing if none is. */
export function rankOf(
  candidates: Candidates,
  isChosen: (bundle: Chosen) => boolean,
  isKept: (operator: Installed) => boolean,
): number | undefined {
  const rank = candidates.bundles.findIndex(isChosen);
  if (rank >= 0) return rank;
  return candidates.installed !== undefined && isKept(candidates.installed) ? candidates.bundles.length : undefined;
}

/** A catalog as far as its place in the order is concerned. */
interface Ordered extends CatalogName {
  readonly priority: number;
}

/** The order of catalogs for somebody who has none of his own: priority, those of this namespace, names. */
export function compareCatalogs(a: Ordered, b: Ordered, namespace: string): number {
  return (
    b.priority - a.priority ||
    Number(b.namespace === namespace) - Number(a.namespace === namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.namespace ?? "", b.namespace ?? "")
  );
}

/** The catalogs that are meant, in their order. */
function catalogsOf(problem: Problem, wanted: CatalogName | undefined): readonly Catalog[] {
  const inOrder = problem.catalogs.toSorted((a, b) => compareCatalogs(a, b, problem.namespace));
  if (wanted === undefined) return inOrder;
  const namesakes = [...problem.catalogs, ...problem.unavailable].filter(({ name }) => name === wanted.name);
  const meant = inOrder.filter(({ name }) => name === wanted.name);
  if (namesakes.length === 1 || wanted.namespace === undefined) return meant;
  return meant.filter(({ namespace }) => namespace === wanted.namespace);
}

function channelsOf(owner: Package, wanted: string | undefined): readonly Channel[] {
  const isDefault = ({ name }: Channel): number => Number(name === owner.defaultChannel);
  return [...owner.channels.values()]
    .filter(({ name }) => wanted === undefined || name === wanted)
    .sort((a, b) => isDefault(b) - isDefault(a) || compareText(a.name, b.name));
}

/** What a request without an operator may begin with. */
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

/** Where an operator may go from what it is: never to itself or towards the tail, where it is in the chain. */
function updates(channel: Channel, { range, left = [] }: Request, installed: Installed): readonly ChannelEntry[] {
  const own = channel.chain.findIndex(({ name }) => name === installed.name);
  const newer = own < 0 ? channel.chain : channel.chain.slice(0, own);
  return newer.filter((entry) => leadsFrom(entry, installed) && isInside(entry, range) && !left.includes(entry.name));
}

function leadsFrom({ replaces, skips, skipRange }: ChannelEntry, { name: old, version }: Installed): boolean {
  if (replaces === old || skips.includes(old)) return true;
  return skipRange !== undefined && version !== undefined && inRange(skipRange, version);
}

function isInside({ bundle }: ChannelEntry, range: Request["range"]): boolean {
  return range === undefined || (bundle !== undefined && inRange(range, bundle.version));
}

/** The version that is the only one in a range, if the range says just that. */
function exactVersion({ anyOf }: NonNullable<Request["range"]>): Version | undefined {
  const only = anyOf.length === 1 && anyOf[0]?.length === 1 ? anyOf[0][0] : undefined;
  return only?.operator === "=" ? only.version : undefined;
}
