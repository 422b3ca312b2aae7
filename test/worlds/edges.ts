// Where may an operator go, and with what may a request begin? Read off the channels, a second time.

import { candidatesOf } from "../../src/check/candidates.ts";
import type { Channel, ChannelEntry } from "../../src/model/catalog.ts";
import type { Installed, Problem, Request } from "../../src/model/problem.ts";
import type { ChosenBundle } from "../../src/resolve/state-after.ts";
import { inRange } from "../../src/semver/blang-range.ts";
import { compareVersions } from "../../src/semver/version.ts";

/** May an operator that a request keeps up to date become this bundle? Towards the head, along an edge, inside the range. */
export function leadsTo(problem: Problem, request: Request, from: Installed, to: ChosenBundle): boolean {
  if (request.extension !== undefined) return isFor(problem, { ...request, installed: from.name }, to);
  return channelsFor(problem, request, to).some(({ chain }) => {
    const target = chain.findIndex(({ name, bundle }) => name === to.bundle.name && bundle !== undefined);
    const own = chain.findIndex(({ name }) => name === from.name);
    const entry = chain[target];
    return entry !== undefined && (own < 0 || target < own) && isEdge(from, entry) && isInside(request, to);
  });
}

/** May a request whose operator does not run begin with this bundle? */
export function begins(problem: Problem, request: Request, to: ChosenBundle): boolean {
  if (request.extension !== undefined) return isFor(problem, { ...request, installed: undefined }, to);
  const { startingCSV, range } = request;
  if (!isInside(request, to)) return false;
  if (startingCSV !== undefined && startingCSV !== to.bundle.name) return false;
  const isNamed = startingCSV !== undefined || isExactly(range, to);
  return channelsFor(problem, request, to).some(({ chain, entries }) =>
    (isNamed ? [...entries.values()] : chain).some(({ bundle }) => bundle === to.bundle),
  );
}

/** Does the checker know a bundle as one that the request may get? */
function isFor(problem: Problem, request: Request, { catalog, bundle }: ChosenBundle): boolean {
  return candidatesOf(problem, request).bundles.some((one) => one.catalog === catalog && one.bundle === bundle);
}

/** Is a bundle on the way from the head of some channel of its package? */
export function isOnWay({ catalog, bundle }: ChosenBundle): boolean {
  const channels = catalog.packages.get(bundle.package)?.channels.values() ?? [];
  return [...channels].some(({ chain }) => chain.some((entry) => entry.bundle === bundle));
}

function isEdge({ name, version }: Installed, { replaces, skips, skipRange }: ChannelEntry): boolean {
  if (replaces === name || skips.includes(name)) return true;
  return skipRange !== undefined && version !== undefined && inRange(skipRange, version);
}

function isInside({ range }: Request, { bundle }: ChosenBundle): boolean {
  return range === undefined || inRange(range, bundle.version);
}

function isExactly(range: Request["range"], { bundle }: ChosenBundle): boolean {
  const comparators = range?.anyOf.length === 1 ? (range.anyOf[0] ?? []) : [];
  const [only] = comparators;
  return comparators.length === 1 && only?.operator === "=" && compareVersions(only.version, bundle.version) === 0;
}

/** The channels of a bundle's package in which a request looks for it; none if it looks elsewhere. */
function channelsFor(problem: Problem, request: Request, { catalog, bundle }: ChosenBundle): readonly Channel[] {
  if (request.package !== bundle.package || !isMeant(problem, request, catalog)) return [];
  const channels = [...(catalog.packages.get(bundle.package)?.channels.values() ?? [])];
  return channels.filter(({ name }) => request.channel === undefined || request.channel === name);
}

function isMeant(
  { catalogs, unavailable }: Problem,
  { catalog: wanted }: Request,
  catalog: ChosenBundle["catalog"],
): boolean {
  if (wanted === undefined) return true;
  if (wanted.name !== catalog.name) return false;
  const namesakes = [...catalogs, ...unavailable].filter(({ name }) => name === wanted.name);
  return namesakes.length === 1 || wanted.namespace === undefined || wanted.namespace === catalog.namespace;
}
