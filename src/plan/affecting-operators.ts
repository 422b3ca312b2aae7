// What of the rest of the cluster could affect an answer? Operators of other namespaces that share a kind or a package with anything that is
// requested, installed or required here, in any version, or of which one could meet or break a requirement of the other; and the CRDs of these
// kinds, with an owner or without. Everything else makes no difference.

import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import type { Predicate } from "../constraint/predicate-key.ts";
import { gvkOf, kindGroup, kindKey, type Property } from "../model/catalog.ts";
import { compareText } from "../model/json.ts";
import type { Installed, Problem } from "../model/problem.ts";
import { type CatalogWorld, catalogWorld, packagesOf } from "../resolve/catalog-world.ts";
import { kindsIn, kindsOfApis } from "../rule/crd/api-needs.ts";
import { describe, matchingNodes, ownerOf, relevantPackages, waitedFor } from "./relevant-packages.ts";

/** Everything that could become part of an answer. */
export interface AnswerReach {
  readonly packages: ReadonlySet<unknown>;
  /** The packages, and those that are required. */
  readonly named: ReadonlySet<unknown>;
  /** Provided, required or defined. */
  readonly kinds: ReadonlySet<string>;
  /** Other predicates than those about a package or a kind. */
  readonly others: readonly Predicate[];
  readonly versions: readonly (readonly Property[])[];
  /** It may be larger: not every bundle was evaluated. */
  readonly isCut: boolean;
}

/** The packages from which the answer begins: what is requested or installed here, and what would repair what is broken elsewhere. */
export function askedPackages(problem: Problem): readonly string[] {
  const world = catalogWorld(problem);
  world.startAnswer();
  const { requests, installed, elsewhere } = problem;
  const unmet = elsewhere.flatMap((one) => unmetDemands(one, problem, world));
  const repairing = unmet.flatMap((predicate) => [...matchingNodes(predicate, [], world)]);
  return [
    ...new Set([
      ...requests.map((one) => one.package),
      ...installed.map((one) => ownerOf(one, problem)),
      ...repairing.map(({ bundle }) => bundle.package),
    ]),
  ];
}

/** What could become part of the answer that begins with the packages that were just asked for. */
export function answerReach(problem: Problem, asked: readonly string[]): AnswerReach {
  const world = catalogWorld(problem);
  const { packages } = relevantPackages(problem, asked);
  const waited = waitedFor(problem, world);
  const parts = [...packages].map((owner) => describe(problem, world, owner, waited));
  const predicates = parts.flatMap((one) => [...one.predicates.values()]);
  const versions = parts.flatMap((one) => one.versions);
  // An operator may be of another package than the one that its request names.
  const own = new Set([...packages, ...versions.flatMap(packagesOf)]);
  return {
    packages: own,
    named: new Set([...own, ...predicates.flatMap(packageIn)]),
    kinds: new Set([...parts.flatMap(({ kinds }) => [...kinds]), ...predicates.flatMap(kindsInside)]),
    others: predicates.filter(isOther),
    versions,
    isCut: world.budget.isSpent,
  };
}

/** A problem without what could not affect its answer. */
export interface AffectingParts {
  readonly problem: Problem;
  /** The API groups whose kinds could matter, in bytewise order; undefined: any could. */
  readonly apiGroups: readonly string[] | undefined;
}

/** `reach` is that of the problem. */
export function affectingParts(problem: Problem, reach: AnswerReach): AffectingParts {
  if (reach.isCut) return { problem, apiGroups: undefined };
  const { elsewhere, reached } = affectingOperators(problem, reach);
  const { definitions, orphans } = problem;
  // A bundle replaces the CRD of the same name, even if that is of another kind.
  const names = new Set(
    reached.versions.flatMap((version) => bundleDefinitions(version).definitions.map(({ name }) => name)),
  );
  const affecting = {
    ...problem,
    elsewhere,
    definitions: definitions?.filter(
      ({ definition }) => names.has(definition.name) || reached.kinds.has(kindKey(definition)),
    ),
    orphans: orphans?.filter((api) => reached.kinds.has(kindKey(gvkOf(api)))),
  };
  // A rule about properties can be about any API.
  return { problem: affecting, apiGroups: reached.others.length > 0 ? undefined : groupsOf(reached.kinds) };
}

function groupsOf(kinds: ReadonlySet<string>): readonly string[] {
  return [...new Set([...kinds].map(kindGroup))].sort(compareText);
}

interface AffectingOperators {
  readonly elsewhere: readonly Installed[];
  /** What could become part of the answer, and these operators. */
  readonly reached: AnswerReach;
}

function affectingOperators(problem: Problem, reach: AnswerReach): AffectingOperators {
  const world = catalogWorld(problem);
  const { elsewhere } = problem;
  // What is not met there may be met from here.
  const kept = new Set(elsewhere.filter((one) => unmetDemands(one, problem, world).length > 0));
  let reached = withOperators(reach, [...kept], world);
  for (;;) {
    const more = elsewhere.filter((one) => !kept.has(one) && canAffect(one, reached, world));
    if (more.length === 0) return { elsewhere: elsewhere.filter((one) => kept.has(one)), reached };
    for (const one of more) kept.add(one);
    // What meets the requirements of a participant is one, too.
    reached = withOperators(reached, more, world);
  }
}

function canAffect(
  one: Installed,
  { packages, named, kinds, others, versions }: AnswerReach,
  world: CatalogWorld,
): boolean {
  const { package: owner, properties } = one;
  if (named.has(owner) || packagesOf(properties).some((name) => named.has(name))) return true;
  const predicates = world.predicatesOf(properties);
  return (
    kindsOf(one, predicates).some((kind) => kinds.has(kind)) ||
    predicates.flatMap(packageIn).some((name) => packages.has(name)) ||
    others.some((predicate) => world.isMatch(predicate, properties)) ||
    predicates.filter(isOther).some((predicate) => versions.some((version) => world.isMatch(predicate, version)))
  );
}

/** The reach with operators that take part. */
function withOperators(reach: AnswerReach, some: readonly Installed[], world: CatalogWorld): AnswerReach {
  const predicates = some.flatMap(({ properties }) => world.predicatesOf(properties));
  const own = some.flatMap((one) => [
    ...packagesOf(one.properties),
    ...(one.package === undefined ? [] : [one.package]),
  ]);
  return {
    packages: new Set([...reach.packages, ...own]),
    named: new Set([...reach.named, ...own, ...predicates.flatMap(packageIn)]),
    kinds: new Set([...reach.kinds, ...some.flatMap((one) => kindsOf(one, world.predicatesOf(one.properties)))]),
    others: [...reach.others, ...predicates.filter(isOther)],
    versions: [...reach.versions, ...some.map(({ properties }) => properties)],
    isCut: reach.isCut,
  };
}

/** What it requires and nothing provides now. */
function unmetDemands(
  { properties }: Installed,
  { elsewhere, installed, node }: Problem,
  world: CatalogWorld,
): readonly Predicate[] {
  const leaves = world.leavesOf(properties);
  if (leaves.length === 0) return [];
  const present = [...elsewhere, ...installed, node].map((one) => one.properties);
  return leaves.flatMap(({ predicate }) =>
    present.some((version) => world.isMatch(predicate, version)) ? [] : [predicate],
  );
}

function kindsOf({ properties, owned = [] }: Installed, predicates: readonly Predicate[]): readonly string[] {
  return [...kindsIn(properties), ...kindsOfApis(owned), ...predicates.flatMap(kindsInside)];
}

function packageIn({ constraint }: Predicate): readonly string[] {
  return constraint.kind === "package" ? [constraint.name] : [];
}

/** The kind that a predicate is about, or those of the parts of a compound: what is required there must be served, too. */
function kindsInside({ constraint }: Pick<Predicate, "constraint">): readonly string[] {
  if (constraint.kind === "gvk") return [kindKey(constraint.gvk)];
  return "constraints" in constraint
    ? constraint.constraints.flatMap((child) => kindsInside({ constraint: child }))
    : [];
}

function isOther({ constraint: { kind } }: Predicate): boolean {
  return kind !== "package" && kind !== "gvk";
}
