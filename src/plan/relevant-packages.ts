// Whose changes could matter to a target? Everybody who demands something of it or of whom it demands something, in any
// version that they may come to, and so on through them.

import type { Predicate } from "../constraint/predicate-key.ts";
import { gvkOf, kindKey, type Property } from "../model/catalog.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { candidatesOf } from "../resolve/candidates.ts";
import type { Node } from "../resolve/catalog-index.ts";
import { type Universe, universeOf } from "../resolve/universe.ts";
import { kindsIn } from "../rule/api-needs.ts";
import { predicatesIn } from "./step-rules.ts";

/** Bundles that are not there yet and are considered as dependencies. */
const MAX_INSTALLABLE = 300;

/** Those who could matter. */
export interface RelevantPackages {
  /** Their packages. */
  readonly packages: ReadonlySet<string>;
  /** Bundles of packages that do not run yet and that somebody of them could need. */
  readonly installable: readonly Node[];
  /** There would be more of those. */
  readonly isCut: boolean;
}

/** Those who could matter to some packages. */
export function relevantPackages(problem: Problem, packages: readonly string[]): RelevantPackages {
  const universe = universeOf(problem.catalogs, problem.options);
  const here = new Set(problem.installed.map((one) => ownerOf(one, problem)));
  const asked = waitedFor(problem, universe);
  const running = [...here].map((owner) => describe(problem, universe, owner, asked));
  const reached = new Set<string>();
  const installable = new Set<Node>();
  const waiting = [...packages];
  for (const owner of waiting) {
    if (reached.has(owner)) continue;
    reached.add(owner);
    const own = describe(problem, universe, owner, asked);
    for (const predicate of own.predicates.values())
      for (const node of matchingNodes(predicate, asked, universe)) {
        waiting.push(node.bundle.package);
        if (!here.has(node.bundle.package) && installable.size <= MAX_INSTALLABLE) installable.add(node);
      }
    for (const other of running) if (isRelated(own, other, universe)) waiting.push(other.package);
  }
  return {
    packages: reached,
    installable: [...installable].slice(0, MAX_INSTALLABLE),
    isCut: installable.size > MAX_INSTALLABLE,
  };
}

/** What those may be given who wait for an operator, also what no channel leads to. */
export function waitedFor(problem: Problem, universe: Universe): readonly Node[] {
  return problem.requests.flatMap((request) => {
    const { installed, nodes } = candidatesOf(request, problem, universe);
    return installed === undefined ? nodes : [];
  });
}

/** All bundles that could be installed and match. */
export function matchingNodes(predicate: Predicate, asked: readonly Node[], universe: Universe): ReadonlySet<Node> {
  return new Set([
    ...universe.catalogs.flatMap((catalog) => universe.indexOf(catalog).matching(predicate)),
    ...asked.filter(({ bundle }) => universe.isMatch(predicate, bundle.properties)),
  ]);
}

/** A package as all versions of it that run or could come. */
interface Described {
  readonly package: string;
  readonly versions: readonly (readonly Property[])[];
  readonly predicates: ReadonlyMap<string, Predicate>;
  /** The kinds that it provides, requires or brings definitions of. */
  readonly kinds: ReadonlySet<string>;
}

/** The package that an operator is of; where that is not known, the one that is asked for. */
export function ownerOf({ package: owner, name }: Installed, { requests }: Problem): string {
  return owner ?? requests.find(({ installed }) => installed === name)?.package ?? name;
}

function describe(problem: Problem, universe: Universe, owner: string, asked: readonly Node[]): Described {
  const running = problem.installed.filter((one) => ownerOf(one, problem) === owner);
  // A request may lead from one package to another.
  const claims = problem.requests.filter(({ installed }) => running.some(({ name }) => name === installed));
  const names = new Set([owner, ...claims.map((one) => one.package)]);
  const nodes = [
    ...[...names].flatMap((name) => universe.chainsOf(universe.familyOf(name))),
    ...asked.filter(({ bundle }) => names.has(bundle.package)),
  ];
  const versions = [...running.map(({ properties }) => properties), ...nodes.map(({ bundle }) => bundle.properties)];
  const predicates = new Map<string, Predicate>();
  const kinds = new Set(running.flatMap(({ owned = [] }) => owned.map((api) => kindKey(gvkOf(api)))));
  for (const properties of versions) {
    for (const { constraint } of universe.requirementsOf(properties).requirements)
      for (const predicate of predicatesIn(constraint)) predicates.set(predicate.key, predicate);
    for (const kind of kindsIn(properties)) kinds.add(kind);
  }
  return { package: owner, versions, predicates, kinds };
}

function isRelated(one: Described, other: Described, universe: Universe): boolean {
  return (
    [...one.kinds].some((kind) => other.kinds.has(kind)) ||
    demands(one, other, universe) ||
    demands(other, one, universe)
  );
}

function demands({ predicates }: Described, { versions }: Described, universe: Universe): boolean {
  for (const predicate of predicates.values())
    if (versions.some((properties) => universe.isMatch(predicate, properties))) return true;
  return false;
}

/** The problem without those who cannot matter, and without those who ask for them. */
export function within(problem: Problem, { packages }: RelevantPackages): Problem {
  const installed = problem.installed.filter((one) => packages.has(ownerOf(one, problem)));
  const names = new Set(installed.map(({ name }) => name));
  const requests = problem.requests.filter(
    (request) => packages.has(request.package) || (request.installed !== undefined && names.has(request.installed)),
  );
  return { ...problem, installed, requests };
}
