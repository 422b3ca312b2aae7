// Which packages could affect a target? Those that require something of it or that it requires, in any version they
// may reach, transitively.

import type { Predicate } from "../constraint/predicate-key.ts";
import type { Property } from "../model/catalog.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import type { Candidate } from "../resolve/catalog-index.ts";
import { type CatalogWorld, catalogWorld } from "../resolve/catalog-world.ts";
import { kindsIn, kindsOfApis } from "../rule/crd/api-needs.ts";

/** Number of bundles that are not installed yet and are considered as dependencies. */
const MAX_INSTALLABLE = 300;

/** The packages that could affect a target. */
export interface RelevantPackages {
  /** Their packages. */
  readonly packages: ReadonlySet<string>;
  /** Bundles of packages that are not installed yet and that one of them could require. */
  readonly installable: readonly Candidate[];
  /** There are more of those. */
  readonly isCut: boolean;
}

/** The packages that could affect some packages. */
export function relevantPackages(problem: Problem, packages: readonly string[]): RelevantPackages {
  const world = catalogWorld(problem);
  const here = new Set(problem.installed.map((one) => ownerOf(one, problem)));
  const waited = waitedFor(problem, world);
  const running = [...here].map((owner) => describe(problem, world, owner, waited));
  const reached = new Set<string>();
  const installable = new Set<Candidate>();
  const waiting = [...packages];
  for (const owner of waiting) {
    if (reached.has(owner)) continue;
    reached.add(owner);
    const own = describe(problem, world, owner, waited);
    for (const predicate of own.predicates.values())
      for (const node of matchingNodes(predicate, waited, world)) {
        waiting.push(node.bundle.package);
        if (!here.has(node.bundle.package) && installable.size <= MAX_INSTALLABLE) installable.add(node);
      }
    for (const other of running) if (isRelated(own, other, world)) waiting.push(other.package);
  }
  return {
    packages: reached,
    installable: [...installable].slice(0, MAX_INSTALLABLE),
    isCut: installable.size > MAX_INSTALLABLE,
  };
}

/**
 * The candidates of requests without an operator, including those on no chain; and everything that a ClusterExtension
 * may ever get, since it follows no chain.
 */
export function waitedFor(problem: Problem, world: CatalogWorld): readonly Candidate[] {
  return problem.requests.flatMap((request) => {
    if (request.extension !== undefined)
      return candidatesOf({ ...request, installed: undefined }, problem, world).nodes;
    const { installed, nodes } = candidatesOf(request, problem, world);
    return installed === undefined ? nodes : [];
  });
}

/** All matching bundles that could be installed. */
export function matchingNodes(
  predicate: Predicate,
  waited: readonly Candidate[],
  world: CatalogWorld,
): ReadonlySet<Candidate> {
  return new Set([
    ...world.catalogs.flatMap((catalog) => world.indexOf(catalog).matching(predicate)),
    ...waited.filter(({ bundle }) => world.isMatch(predicate, bundle.properties)),
  ]);
}

/** A package with all its installed or possible versions. */
export interface Described {
  readonly package: string;
  readonly versions: readonly (readonly Property[])[];
  readonly predicates: ReadonlyMap<string, Predicate>;
  /** The kinds that it provides, requires or defines. */
  readonly kinds: ReadonlySet<string>;
}

/** The package of an operator; if unknown, the one that its request names. */
export function ownerOf({ package: owner, name }: Installed, { requests }: Problem): string {
  return owner ?? requests.find(({ installed }) => installed === name)?.package ?? name;
}

/** Everything that a package is or could be. */
export function describe(
  problem: Problem,
  world: CatalogWorld,
  owner: string,
  waited: readonly Candidate[],
): Described {
  const running = problem.installed.filter((one) => ownerOf(one, problem) === owner);
  // A request may lead from one package to another.
  const claims = problem.requests.filter(({ installed }) => running.some(({ name }) => name === installed));
  const names = new Set([owner, ...claims.map((one) => one.package)]);
  const nodes = [
    ...[...names].flatMap((name) => world.chainsOf(world.packageNameOf(name))),
    ...waited.filter(({ bundle }) => names.has(bundle.package)),
  ];
  const versions = [...running.map(({ properties }) => properties), ...nodes.map(({ bundle }) => bundle.properties)];
  const predicates = new Map<string, Predicate>();
  const kinds = new Set(running.flatMap(({ owned = [] }) => [...kindsOfApis(owned)]));
  for (const properties of versions) {
    for (const predicate of world.predicatesOf(properties)) predicates.set(predicate.key, predicate);
    for (const kind of kindsIn(properties)) kinds.add(kind);
  }
  return { package: owner, versions, predicates, kinds };
}

function isRelated(one: Described, other: Described, world: CatalogWorld): boolean {
  return (
    [...one.kinds].some((kind) => other.kinds.has(kind)) || demands(one, other, world) || demands(other, one, world)
  );
}

function demands({ predicates }: Described, { versions }: Described, world: CatalogWorld): boolean {
  return [...predicates.values()].some((predicate) => versions.some((one) => world.isMatch(predicate, one)));
}

/** The problem without irrelevant packages and requests for them. */
export function within(problem: Problem, { packages }: RelevantPackages): Problem {
  const installed = problem.installed.filter((one) => packages.has(ownerOf(one, problem)));
  const names = new Set(installed.map(({ name }) => name));
  const requests = problem.requests.filter(
    (request) => packages.has(request.package) || (request.installed !== undefined && names.has(request.installed)),
  );
  return { ...problem, installed, requests };
}
