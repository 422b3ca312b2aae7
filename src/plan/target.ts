// What is it to reach a target? Which request keeps the package up to date, which bundles are the goal, and how many updates
// lie before them at the least, whatever the others do.

import { BETWEEN_OPERATORS, type CheckedRule } from "../check/answer.ts";
import { check } from "../check/check.ts";
import { isPredicate, predicateOf } from "../constraint/predicate-key.ts";
import type { Catalog } from "../model/catalog.ts";
import { addTo } from "../model/grouped.ts";
import type { Installed, Problem, Request } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import { isSubscribed, runningAs } from "../resolve/carried-out.ts";
import { type Candidate, channelsInOrder } from "../resolve/catalog-index.ts";
import { catalogsCalled, compareCatalogs } from "../resolve/catalog-order.ts";
import { type CatalogWorld, catalogWorld } from "../resolve/catalog-world.ts";
import type { NamedRequest } from "../resolve/prepare/given.ts";
import { changed } from "../resolve/what-if.ts";
import { inRange, rangeFrom } from "../semver/blang-range.ts";
import { matchingNodes, waitedFor } from "./relevant-packages.ts";

/** Where a search is to get, and from where. */
export interface Quest {
  /** With somebody who asks for the package, in whatever version. */
  readonly problem: Problem;
  /** The id of the request that is to get there. */
  readonly request: string;
  /** How many updates it has to go from where it is, at the least. */
  readonly start: number | undefined;
  /**
   * Updates to go from an operator of this name, at the least; nothing if no update leads there that could be made. Where
   * every way is blocked, updates that can never be made count as well.
   */
  readonly distanceOf: (installed: string | undefined) => number | undefined;
  /**
   * Every way is blocked by a bundle that can never be chosen: the nearest state is so many updates away from the goal, at
   * the least.
   */
  readonly blockedAt: number | undefined;
  /** How many bundles the request would rather have than an operator of this name. */
  readonly rankOf: (installed: string | undefined) => number;
}

/** An operator that may be at the goal. */
type Reached = Pick<Installed, "name" | "package" | "version">;

/** The quests for a wish, of all who ask for the package and over all channels they may take; those with the least to go first. */
export function questsFor(given: Problem, wish: NamedRequest): readonly Quest[] {
  const problem = asking(given, wish);
  const isHere = ({ installed }: Request): boolean => problem.installed.some(({ name }) => name === installed);
  return problem.requests
    .filter((request) => request.package === wish.package)
    .sort((a, b) => Number(isHere(b)) - Number(isHere(a)))
    .flatMap((request) => variantsOf(request, problem).map((one) => questOf(request, one, problem, wish)))
    .sort((a, b) => lengthOf(a) - lengthOf(b));
}

function lengthOf({ start }: Quest): number {
  return start ?? Number.MAX_SAFE_INTEGER;
}

/** A request without a Subscription gets one with the first step, for one catalog and channel: it may be any of them. */
function variantsOf(request: Request, problem: Problem): readonly Request[] {
  const isPinned = request.catalog !== undefined && request.channel !== undefined;
  if (isSubscribed(request) || isPinned) return [request];
  const { catalogs } = problem;
  const meant = request.catalog === undefined ? catalogs : catalogsCalled<Catalog>(catalogs, request.catalog);
  const pinned = meant
    .toSorted((a, b) => compareCatalogs(a, b, problem.namespace))
    .flatMap((catalog) => {
      const owner = catalog.packages.get(request.package);
      const channels = owner === undefined ? [] : channelsInOrder(owner);
      return channels
        .filter(({ name }) => request.channel === undefined || request.channel === name)
        .map(({ name }): Request => {
          const source = request.catalog ?? { name: catalog.name, namespace: catalog.namespace };
          return { ...request, catalog: source, channel: name };
        });
    });
  return pinned.length === 0 ? [request] : pinned;
}

/** The quest of a request that takes one of its channels. */
function questOf(asked: Request, request: Request, given: Problem, wish: NamedRequest): Quest {
  const problem = { ...given, requests: given.requests.map((one) => (one === asked ? request : one)) };
  const world = catalogWorld(problem.catalogs, problem.options);
  const beginning = candidatesOf(withoutStart(asked), problem, world).nodes;
  const isGoal = goalOf(wish, beginning);
  const now = problem.installed.find(({ name }) => name === request.installed);
  const isThere = now === undefined && problem.installed.some((one) => one.package === wish.package && isGoal(one));
  const anyway = distancesTo(
    isGoal,
    updatesFrom(request, problem, world, () => true),
  );
  const makeable = updatesFrom(request, problem, world, (node) => !isKnownRefused(node, problem, world));
  const possible = distancesTo(isGoal, makeable);
  const nodes = candidatesOf({ ...request, installed: undefined }, problem, world).nodes;
  const along = (distances: ReadonlyMap<string, number>, name: string | undefined): number | undefined => {
    if (name !== undefined) return distances.get(name);
    if (isThere) return 0;
    const known = nodes.flatMap(({ bundle }) => distances.get(bundle.name) ?? []);
    return known.length === 0 ? undefined : 1 + Math.min(...known);
  };
  const start = along(possible, now?.name);
  const isBlocked = start === undefined && along(anyway, now?.name) !== undefined;
  const ranks = new Map(beginning.map(({ bundle }, rank) => [bundle.name, rank]));
  return {
    problem,
    request: request.id,
    start,
    distanceOf: (name) => along(isBlocked ? anyway : possible, name),
    rankOf: (name) => ranks.get(name ?? "") ?? beginning.length,
    blockedAt: isBlocked
      ? Math.min(...[now?.name, ...makeable.known.keys()].flatMap((name) => along(anyway, name) ?? []))
      : undefined,
  };
}

/** Rules that depend on who else is there, on what is there, or on who asks; all others are about a bundle alone. */
const NOT_ALONE: ReadonlySet<CheckedRule> = new Set<CheckedRule>([
  ...BETWEEN_OPERATORS,
  "crd-upgrade",
  "claim",
  "upgrade-edge",
  "held-operator",
]);

/** Is a bundle refused whoever else is there, or does it demand what nobody has? */
function isKnownRefused(node: Candidate, problem: Problem, world: CatalogWorld): boolean {
  const { index, bundle } = node;
  const anybody = [...problem.installed, ...problem.elsewhere, problem.node];
  const asked = waitedFor(problem, world);
  const isNowhere = world.requirementsOf(bundle.properties).requirements.some(({ constraint, optional }) => {
    if (optional || !isPredicate(constraint)) return false;
    const predicate = predicateOf(constraint);
    return (
      !anybody.some(({ properties }) => world.isMatch(predicate, properties)) &&
      matchingNodes(predicate, asked, world).size === 0
    );
  });
  if (isNowhere) return true;
  const alone = { ...problem, installed: [], requests: [] };
  const chosen = [{ catalog: index.catalog, bundle }];
  return check(alone, { kept: [], chosen, satisfied: [] }, world.reader).some(({ rule }) => !NOT_ALONE.has(rule));
}

/** Whoever asks for the package asks for any version of it; if nobody does, somebody is made to. */
function asking(problem: Problem, { package: owner, catalog, channel }: NamedRequest): Problem {
  const wish = { package: owner, catalog, channel };
  if (!problem.requests.some((request) => request.package === owner)) return changed(problem, { kind: "ask", wish });
  const isElse = catalog !== undefined || channel !== undefined;
  const asked = isElse ? changed(problem, { kind: "instead", wish }) : problem;
  return {
    ...asked,
    requests: asked.requests.map((request) =>
      request.package === owner && request.range !== undefined ? { ...request, range: undefined } : request,
    ),
  };
}

/** As if nothing of it were there. */
function withoutStart({ installed: _, startingCSV: __, ...request }: Request): Request {
  return request;
}

/** In the range; without one, the best that the request could ever be given. */
function goalOf({ package: owner, range }: NamedRequest, beginning: readonly Candidate[]): (one: Reached) => boolean {
  if (range === undefined) return ({ name }) => name === beginning[0]?.bundle.name;
  const wanted = rangeFrom(range);
  return (one) => (one.package ?? owner) === owner && one.version !== undefined && inRange(wanted, one.version);
}

/** What a request could get to, and which updates lead there. */
interface Updates {
  readonly known: ReadonlyMap<string, Reached>;
  /** The names of those from which an update leads to one. */
  readonly before: ReadonlyMap<string, readonly string[]>;
}

/** Whatever updates lead to from what runs, or from what could be installed first. */
function updatesFrom(
  request: Request,
  problem: Problem,
  world: CatalogWorld,
  isPossible: (node: Candidate) => boolean,
): Updates {
  const before = new Map<string, string[]>();
  const known = new Map<string, Reached>();
  const now = problem.installed.find(({ name }) => name === request.installed);
  const waiting: Installed[] =
    now === undefined
      ? candidatesOf(request, problem, world)
          .nodes.filter(isPossible)
          .map(({ bundle }) => runningAs(bundle, problem.namespace))
      : [now];
  for (const one of waiting) {
    if (known.has(one.name)) continue;
    known.set(one.name, one);
    const next = candidatesOf({ ...request, installed: one.name }, { ...problem, installed: [one] }, world).nodes;
    for (const { bundle } of next.filter(isPossible)) {
      addTo(before, bundle.name, one.name);
      waiting.push(runningAs(bundle, problem.namespace));
    }
  }
  return { known, before };
}

/** Breadth first, from each bundle that an update could lead to. */
function distancesTo(isGoal: (one: Reached) => boolean, { known, before }: Updates): Map<string, number> {
  const distances = new Map<string, number>();
  const found = [...known.values()].filter(isGoal).map(({ name }) => name);
  for (const name of found) distances.set(name, 0);
  for (const name of found)
    for (const earlier of before.get(name) ?? [])
      if (!distances.has(earlier)) {
        distances.set(earlier, (distances.get(name) ?? 0) + 1);
        found.push(earlier);
      }
  return distances;
}
