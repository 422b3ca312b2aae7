// What does it mean to reach a target? Which request claims the package, which bundles are the goal, and a lower
// bound on the number of updates, independent of other operators.

import { BETWEEN_OPERATORS, type CheckedRule } from "../check/answer.ts";
import { check } from "../check/check.ts";
import { isPredicate, predicateOf } from "../constraint/predicate-key.ts";
import type { Catalog } from "../model/catalog.ts";
import { addTo } from "../model/grouped.ts";
import type { ExtensionTerms, Installed, Problem, Request } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import { type Candidate, channelsInOrder } from "../resolve/catalog-index.ts";
import { catalogsCalled, compareCatalogs } from "../resolve/catalog-order.ts";
import { type CatalogWorld, catalogWorld } from "../resolve/catalog-world.ts";
import { isExcluded } from "../resolve/extension-candidates.ts";
import type { NamedRequest } from "../resolve/prepare/problem-inputs.ts";
import { isSubscribed, runningAs } from "../resolve/state-after.ts";
import { changed } from "../resolve/what-if.ts";
import { inRange, rangeFrom } from "../semver/blang-range.ts";
import { compareWithBuild } from "../semver/version.ts";
import { matchingNodes, waitedFor } from "./relevant-packages.ts";

/** The start and goal of a search. */
export interface TargetSearch {
  /** With a request for the package, in any version. */
  readonly problem: Problem;
  /** The id of the request that must reach the goal. */
  readonly request: string;
  /** A lower bound on the updates from the present operator. */
  readonly start: number | undefined;
  /**
   * A lower bound on the updates from an operator of this name; undefined if no possible update leads to the goal. If
   * every path is blocked, impossible updates count as well.
   */
  readonly distanceOf: (installed: string | undefined) => number | undefined;
  /**
   * If every path is blocked by a bundle that can never be chosen: a lower bound on the updates between the nearest
   * state and the goal.
   */
  readonly blockedAt: number | undefined;
  /** The number of bundles that the request prefers to an operator of this name. */
  readonly rankOf: (installed: string | undefined) => number;
}

/** An operator that may be the goal. */
type Reached = Pick<Installed, "name" | "package" | "version">;

/** The searches for a target, for all requests of the package and all channels they may use; the shortest first. */
export function targetSearches(given: Problem, target: NamedRequest): readonly TargetSearch[] {
  const problem = withRequest(given, target);
  const isHere = ({ installed }: Request): boolean => problem.installed.some(({ name }) => name === installed);
  return problem.requests
    .filter((request) => request.package === target.package)
    .sort((a, b) => Number(isHere(b)) - Number(isHere(a)))
    .flatMap((request) =>
      variantsOf(request, problem, target).map((one) => targetSearchOf(request, one, problem, target)),
    )
    .sort((a, b) => lengthOf(a) - lengthOf(b));
}

function lengthOf({ start }: TargetSearch): number {
  return start ?? Number.MAX_SAFE_INTEGER;
}

/**
 * A request without a Subscription gets one with the first step, for one catalog and channel: any of them. A
 * ClusterExtension need not choose.
 */
function variantsOf(request: Request, problem: Problem, target: NamedRequest): readonly Request[] {
  const isPinned = request.catalog !== undefined && request.channel !== undefined;
  if (request.extension !== undefined) return extensionVariants(request, request.extension, problem, target);
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

/**
 * A plan sets the version of a ClusterExtension, so that its present range does not count; unless it excludes what is
 * installed, since that allows an older version. If it is set to the target, newer versions count that would not be
 * preferred to staying: they are deprecated, or in a catalog of lower priority.
 */
function extensionVariants(
  request: Request,
  terms: ExtensionTerms,
  problem: Problem,
  { range }: NamedRequest,
): readonly Request[] {
  const now = problem.installed.find(({ name }) => name === request.installed);
  const free = terms.versions === undefined ? request : { ...request, extension: { ...terms, versions: undefined } };
  const excluding = now !== undefined && free !== request && isExcluded(request, now) ? [request] : [];
  if (range === undefined || now?.version === undefined) return [free, ...excluding];
  const { version } = now;
  const world = catalogWorld(problem);
  const pinned = { ...free, range: rangeFrom(range) };
  const preferred = candidatesOf(free, problem, world).nodes;
  const further = candidatesOf(pinned, problem, world).nodes.filter((node) => !preferred.includes(node));
  const isNewer = further.length > 0 && further.every(({ bundle }) => compareWithBuild(bundle.version, version) > 0);
  return [free, ...excluding, ...(isNewer ? [pinned] : [])];
}

/** The search of a request for one of its channels. */
function targetSearchOf(before: Request, request: Request, given: Problem, target: NamedRequest): TargetSearch {
  const problem = { ...given, requests: given.requests.map((one) => (one === before ? request : one)) };
  const world = catalogWorld(problem);
  const beginning = candidatesOf(
    withoutStart(request.extension === undefined ? before : request),
    problem,
    world,
  ).nodes;
  const isGoal = goalOf(target, beginning);
  const now = problem.installed.find(({ name }) => name === request.installed);
  const isThere = now === undefined && problem.installed.some((one) => one.package === target.package && isGoal(one));
  const anyway = distancesTo(
    isGoal,
    updatesFrom(request, problem, world, () => true),
  );
  const possibleEdges = updatesFrom(request, problem, world, (node) => !isKnownRefused(node, problem, world));
  const possible = distancesTo(isGoal, possibleEdges);
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
      ? Math.min(...[now?.name, ...possibleEdges.known.keys()].flatMap((name) => along(anyway, name) ?? []))
      : undefined,
  };
}

/** Rules that depend on other operators, on the cluster, or on requests; all others are about a bundle alone. */
const NOT_ALONE: ReadonlySet<CheckedRule> = new Set<CheckedRule>([
  ...BETWEEN_OPERATORS,
  "crd-upgrade",
  "claim",
  "upgrade-edge",
  "held-operator",
]);

/** Is a bundle refused in every state, or does it require what no participant has? */
function isKnownRefused(node: Candidate, problem: Problem, world: CatalogWorld): boolean {
  const { index, bundle } = node;
  const participants = [...problem.installed, ...problem.elsewhere, problem.node];
  const before = waitedFor(problem, world);
  const isNowhere = world.requirementsOf(bundle.properties).requirements.some(({ constraint, optional }) => {
    if (optional || !isPredicate(constraint)) return false;
    const predicate = predicateOf(constraint);
    return (
      !participants.some(({ properties }) => world.isMatch(predicate, properties)) &&
      matchingNodes(predicate, before, world).size === 0
    );
  });
  if (isNowhere) return true;
  const alone = { ...problem, installed: [], requests: [] };
  const chosen = [{ catalog: index.catalog, bundle }];
  return check(alone, { kept: [], chosen, satisfied: [] }, world.reader).some(({ rule }) => !NOT_ALONE.has(rule));
}

/** Requests for the package accept any version; if there is none, one is added. */
function withRequest(problem: Problem, { package: owner, catalog, channel }: NamedRequest): Problem {
  const request = { package: owner, catalog, channel };
  if (!problem.requests.some((one) => one.package === owner)) return changed(problem, { kind: "ask", request });
  const isElse = catalog !== undefined || channel !== undefined;
  const before = isElse ? changed(problem, { kind: "instead", request }) : problem;
  return {
    ...before,
    requests: before.requests.map((one) =>
      one.package === owner && one.range !== undefined ? { ...one, range: undefined } : one,
    ),
  };
}

/** As for a first installation. */
function withoutStart({ installed: _, startingCSV: __, ...request }: Request): Request {
  return request;
}

/** In the range; without one, the best candidate the request could ever get. */
function goalOf({ package: owner, range }: NamedRequest, beginning: readonly Candidate[]): (one: Reached) => boolean {
  if (range === undefined) return ({ name }) => name === beginning[0]?.bundle.name;
  const wanted = rangeFrom(range);
  return (one) => (one.package ?? owner) === owner && one.version !== undefined && inRange(wanted, one.version);
}

/** The bundles a request can reach, and the upgrade edges between them. */
interface Updates {
  readonly known: ReadonlyMap<string, Reached>;
  /** The names from which an update leads to each. */
  readonly before: ReadonlyMap<string, readonly string[]>;
}

/** Everything that updates can reach from the installed operator, or from possible first installations. */
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

/** Breadth-first, backwards from the goal. */
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
