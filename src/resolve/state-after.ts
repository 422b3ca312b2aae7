// What does a namespace, or the cluster scope, look like after changes have been applied? Operators replace others, requests claim the new
// ones, and definitions of new bundles are added to the cluster.

import { bundleDefinitions } from "../constraint/bundle-definitions.ts";
import { providedApis } from "../constraint/provided-apis.ts";
import { type Bundle, type Catalog, gvkKey, gvkOf, kindKey } from "../model/catalog.ts";
import type { CustomResourceDefinition } from "../model/custom-resource.ts";
import { groupedByAll } from "../model/grouped.ts";
import { compareText } from "../model/json.ts";
import {
  type ClusterDefinition,
  compareNamespaced,
  type Installed,
  type Problem,
  type Request,
} from "../model/problem.ts";
import { ownsKind } from "../rule/crd/api-needs.ts";
import { candidatesOf } from "./candidates.ts";
import { isSameCatalog } from "./catalog-order.ts";
import { catalogWorld } from "./catalog-world.ts";
import { compareRequests } from "./prepare/claims.ts";
import type { GeneratedSubscription, ResolvedOperator } from "./resolution.ts";

/** A bundle of a catalog, as it was found in a channel. */
export interface ChosenBundle {
  readonly catalog: Catalog;
  readonly channel: string;
  readonly bundle: Bundle;
}

/**
 * The bundle of an operator in an answer, looked up in the catalogs of the problem; undefined for an operator that
 * stays.
 */
export function chosenBundle(
  { catalogs, namespace }: Problem,
  { package: owner, name, from }: Pick<ResolvedOperator, "package" | "name" | "from">,
): ChosenBundle | undefined {
  if (from === undefined) return undefined;
  const catalog = catalogs.filter((one) => isSameCatalog(one, from.catalog))[from.namesake ?? 0];
  const bundle = catalog?.packages.get(owner)?.bundles.get(name);
  if (catalog !== undefined && bundle !== undefined) return { catalog, channel: from.channel, bundle };
  throw new Error(
    `the answer is not about this problem of namespace ${namespace}: no catalog ${from.catalog.name} has ${name}`,
  );
}

/** An operator that is installed, updated or removed. */
export interface AppliedChange {
  readonly from: Installed | undefined;
  /** Further operators that it replaces. */
  readonly alsoFrom: readonly Installed[];
  /** Undefined for a removal. */
  readonly to: ChosenBundle | undefined;
  readonly generatedSubscription: GeneratedSubscription | undefined;
}

/** The problem after changes have been applied in its namespace. */
export function stateAfter(problem: Problem, changes: readonly AppliedChange[]): Problem {
  if (changes.length === 0) return problem;
  const gone = new Set(changes.flatMap(goneIn).map(({ name }) => name));
  const added = changes.flatMap(({ to }) => (to === undefined ? [] : [runningAs(to.bundle, problem.namespace)]));
  const after = {
    ...problem,
    definitions: changes.flatMap(({ to }) => to?.bundle ?? []).reduce(withDefinitionsOf, problem.definitions ?? []),
    installed: [...problem.installed.filter(({ name }) => !gone.has(name)), ...added].sort(compareNamespaced),
    requests: requestsAfter(problem, changes),
  };
  return problem.orphans === undefined ? after : { ...after, orphans: orphansAfter(after, changes) };
}

/** The operators that are replaced or removed. */
export function goneIn({ from, alsoFrom }: Pick<AppliedChange, "from" | "alsoFrom">): readonly Installed[] {
  return from === undefined ? alsoFrom : [from, ...alsoFrom];
}

/** Requests claim the successor of their operator, or the operator that has been installed for them. */
function requestsAfter(problem: Problem, changes: readonly AppliedChange[]): readonly Request[] {
  const world = catalogWorld(problem);
  const movedBy = groupedByAll<string | undefined, AppliedChange>(changes, (one) =>
    goneIn(one).map(({ name }) => name),
  );
  const running = new Set<string | undefined>(problem.installed.map(({ name }) => name));
  const isFor = (request: Request, { catalog, bundle }: ChosenBundle): boolean =>
    bundle.package === request.package &&
    candidatesOf(request, problem, world).channels.has(world.indexOf(catalog).nodeOf(bundle));
  const requests: Request[] = [];
  for (const request of problem.requests) {
    // Two operators can replace one, one after the other, if requests name different packages.
    const moving = movedBy.get(request.installed) ?? [];
    const moved =
      moving.find(({ to }) => to && isFor(request, to)) ??
      moving.find(({ to }) => to?.bundle.package === request.package);
    const arrived = running.has(request.installed) ? undefined : changes.find(({ to }) => to && isFor(request, to));
    const to = (moved ?? arrived)?.to;
    if (to !== undefined) requests.push(following(request, to, problem));
    else if (moving.length === 0) requests.push(request);
    // Requests for a removed operator are gone; requests for one that was only replaced stay.
    else if (moving.some((change) => change.to !== undefined)) requests.push({ ...request, installed: undefined });
  }
  const ids = new Set(requests.map(({ id }) => id));
  for (const { generatedSubscription } of changes) {
    const request = generatedSubscription && generatedRequest(generatedSubscription);
    if (request === undefined || ids.has(request.id)) continue;
    ids.add(request.id);
    requests.push(request);
  }
  return requests.sort(compareRequests);
}

/**
 * The request, claiming a bundle. A request without a Subscription gets one in this channel with the step; a
 * ClusterExtension needs no channel.
 */
function following(request: Request, { catalog, channel, bundle }: ChosenBundle, problem: Problem): Request {
  const left = request.installed === undefined ? request.left : [...(request.left ?? []), request.installed];
  const next = { ...request, installed: bundle.name, left };
  if (problem.requests.some((one) => one.package === request.package && isSubscribed(one))) return next;
  if (request.extension !== undefined) return { ...next, isPlanned: true };
  const source = { name: catalog.name, namespace: catalog.namespace };
  return { ...next, channel, catalog: request.catalog ?? source, isPlanned: true };
}

/** Does the request have a Subscription or ClusterExtension, or will it get one? A package named on the command line has none at first. */
export function isSubscribed({ place, isGenerated, isPlanned }: Request): boolean {
  return place !== undefined || isGenerated === true || isPlanned === true;
}

function generatedRequest(subscription: GeneratedSubscription): Request {
  const { name, namespace, package: owner, channel, source, sourceNamespace, startingCSV } = subscription;
  const asked = { package: owner, catalog: { name: source, namespace: sourceNamespace }, channel, startingCSV };
  const id = `${namespace}/${name}`;
  return { id, name, priority: 0, ...asked, installed: startingCSV, approval: "Automatic", isGenerated: true };
}

/** The operator as it is installed from the bundle. */
export function runningAs(bundle: Bundle, namespace: string): Installed {
  const { name, package: owner, version, properties, place } = bundle;
  const { owned } = bundleDefinitions(properties);
  const unknown = { minKubeVersion: undefined, installModes: [], hold: undefined };
  return { namespace, name, package: owner, version, properties, owned, place, ...unknown };
}

/**
 * The custom kinds of the cluster after a bundle has been installed. If a kind was not given, its objects are
 * unknown.
 */
export function withDefinitionsOf(given: readonly ClusterDefinition[], bundle: Bundle): readonly ClusterDefinition[] {
  const { definitions } = bundleDefinitions(bundle.properties);
  if (definitions.length === 0) return given;
  const after = new Map(given.map((one) => [one.definition.name, one]));
  for (const definition of definitions) {
    const before = after.get(definition.name);
    after.set(definition.name, {
      definition: applied(definition, before?.definition),
      objects: before?.objects,
      isPartial: before?.isPartial,
    });
  }
  return [...after.values()].sort((a, b) => compareText(a.definition.name, b.definition.name));
}

/** A definition after it was applied: objects may be stored in every version that was ever stored. */
function applied(
  definition: CustomResourceDefinition,
  before: CustomResourceDefinition | undefined,
): CustomResourceDefinition {
  const recorded = before === undefined ? [] : [...storedBefore(before, definition), ...storageOf(before)];
  return { ...definition, storedVersions: [...new Set([...recorded, ...storageOf(definition)])] };
}

/** If the stored versions are unknown, any version that still exists may be one. */
function storedBefore(before: CustomResourceDefinition, after: CustomResourceDefinition): readonly string[] {
  if (before.storedVersions.length > 0) return before.storedVersions;
  const left = new Set(after.versions.map(({ name }) => name));
  return before.versions.map(({ name }) => name).filter((name) => left.has(name));
}

function storageOf({ versions }: CustomResourceDefinition): readonly string[] {
  return versions.filter(({ storage }) => storage).map(({ name }) => name);
}

/** APIs of definitions without an operator: a new operator runs its own, a removed one leaves them behind. */
function orphansAfter(after: Problem, changes: readonly AppliedChange[]): readonly string[] {
  const kindsOf = (apis: readonly string[]): readonly string[] => apis.map((api) => kindKey(gvkOf(api)));
  const run = new Set(
    changes.flatMap(({ to }) => {
      const properties = to?.bundle.properties ?? [];
      return kindsOf(bundleDefinitions(properties).owned ?? providedApis(properties));
    }),
  );
  const left = changes
    .flatMap((change) => goneIn(change).flatMap(({ owned, properties }) => kindsOf(owned ?? providedApis(properties))))
    .filter((kind) => !run.has(kind) && ![...after.installed, ...after.elsewhere].some((one) => ownsKind(one, kind)));
  const served = (after.definitions ?? [])
    .filter(({ definition }) => left.includes(kindKey(definition)))
    .flatMap(({ definition: { group, kind, versions } }) =>
      versions.filter((version) => version.served).map(({ name }) => gvkKey({ group, version: name, kind })),
    );
  const still = (after.orphans ?? []).filter((api) => !run.has(kindKey(gvkOf(api))));
  return served.length === 0 ? still : [...new Set([...still, ...served])].sort(compareText);
}
