// What does the cluster make of a plan? A model of what the API server keeps and of what it refuses: operators, Subscriptions,
// CustomResourceDefinitions, and for every version that was ever recorded an object that is still stored in it. It does what
// a step has, in its order, and knows nothing else of plans.

import { bundleFacts } from "../../src/constraint/bundle-facts.ts";
import { definitionOf } from "../../src/model/definition-of.ts";
import { compareText, type JsonObject } from "../../src/model/json.ts";
import { wholeSource } from "../../src/model/place.ts";
import type { ClusterDefinition, Installed, Problem, Request } from "../../src/model/problem.ts";
import { actionsOf, migrationActions } from "../../src/plan/actions/actions-of.ts";
import type { Action } from "../../src/plan/plan.ts";
import type { PlannedChange, PlannedStep } from "../../src/plan/plan-draft.ts";
import type { GeneratedSubscription } from "../../src/resolve/resolution.ts";
import type { ChosenBundle } from "../../src/resolve/state-after.ts";
import { printVersion } from "../../src/semver/version.ts";
import { definitionsIn, fieldsIn, isOfKind, ownedIn, providedIn, type Spec, specOf } from "./bundle-manifests.ts";
import { begins } from "./edges.ts";

/** A CustomResourceDefinition and what is stored of its kind. */
export interface Kept {
  readonly manifest: JsonObject;
  /** `status.storedVersions`. */
  readonly recorded: readonly string[];
  /** For every version in which an object may be stored, one that has all of its fields, or those that were given. */
  readonly objects: readonly Stored[];
  /** As it was given, if it was there from the beginning. */
  readonly given: ClusterDefinition | undefined;
}

/** An object as it is stored. */
interface Stored {
  readonly version: string;
  /** What its `spec` has. */
  readonly fields: readonly string[];
}

/** Everything that there is. */
export interface Cluster {
  /** Of all namespaces. */
  readonly operators: readonly Installed[];
  /** By namespace. */
  readonly subscriptions: ReadonlyMap<string, readonly Request[]>;
  /** By name. */
  readonly definitions: ReadonlyMap<string, Kept>;
}

/** Receives what cannot be done. */
export type Refuse = (text: string) => void;

/** The cluster of these problems, one for each namespace that is planned. */
export function clusterOf(problems: readonly Problem[]): Cluster {
  const planned = new Set(problems.map(({ namespace }) => namespace));
  const others = problems.flatMap(({ elsewhere }) => elsewhere.filter(({ namespace }) => !planned.has(namespace)));
  const definitions = problems.flatMap((problem) => problem.definitions ?? []);
  return {
    operators: [...problems.flatMap(({ installed }) => installed), ...new Set(others)],
    subscriptions: new Map(problems.map(({ namespace, requests }) => [namespace, requests])),
    definitions: new Map(definitions.map((given) => [given.definition.name, keptOf(given)])),
  };
}

/** The storage versions of objects are unknown: in the worst case there is one in every version in which one may be. */
function keptOf(given: ClusterDefinition): Kept {
  const { object, storedVersions, versions } = given.definition;
  // The API server always records where it stores: an empty list was not given, and any version may be recorded.
  const stored = storedVersions.length > 0 ? storedVersions : versions.map(({ name }) => name);
  const recorded = [...new Set([...stored, ...storageOf(object)])];
  return { manifest: object, recorded, objects: recorded.map((version) => storedIn(version, given)), given };
}

/** An object that is stored in a version: those that were given in it, or else one that has everything. */
function storedIn(version: string, { definition, objects = [] }: ClusterDefinition): Stored {
  const same = objects.filter((one) => one.version === version);
  const fields = same.flatMap(({ object }) => Object.keys((object.spec ?? {}) as JsonObject));
  return { version, fields: same.length > 0 ? fields : fieldsIn(specOf(definition.object), version) };
}

function storageOf(manifest: JsonObject): readonly string[] {
  return specOf(manifest)
    .versions.filter(({ storage }) => storage)
    .map(({ name }) => name);
}

/** A namespace as it is found on the cluster, with everything else as it was in the beginning. */
export function problemIn(cluster: Cluster, start: Problem): Problem {
  const { namespace } = start;
  const byName = (a: Installed, b: Installed): number =>
    compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
  const installed = cluster.operators.filter((one) => one.namespace === namespace).sort(byName);
  const isThere = (name: string | undefined): boolean => installed.some((one) => one.name === name);
  const found = [...cluster.definitions.values()].map(foundDefinition);
  return {
    ...start,
    requests: (cluster.subscriptions.get(namespace) ?? [])
      .map(({ installed: name, ...request }): Request => (isThere(name) ? { ...request, installed: name } : request))
      .sort((a, b) => b.priority - a.priority || compareText(a.id, b.id)),
    installed,
    elsewhere: cluster.operators.filter((one) => one.namespace !== namespace).sort(byName),
    ...(found.length > 0 && { definitions: found.sort((a, b) => compareText(a.definition.name, b.definition.name)) }),
  };
}

function foundDefinition({ manifest, recorded, given }: Kept): ClusterDefinition {
  const place = given?.definition.place ?? wholeSource("cluster.yaml");
  const found = { ...manifest, status: { storedVersions: recorded } };
  return {
    definition: definitionOf(found, "v1", place),
    objects: given?.objects,
    ...(given?.isPartial === true && { isPartial: true }),
  };
}

/** Everything that is done in a step. */
export function actionsIn({ changes, problem, migrations }: PlannedStep): readonly Action[] {
  return [...migrationActions(migrations), ...actionsOf(changes, problem)];
}

/** The cluster after changes, as their actions make it. */
export function replayed(
  cluster: Cluster,
  start: Problem,
  changes: readonly PlannedChange[],
  actions: readonly Action[],
  refuse: Refuse,
): Cluster {
  const definitions = new Map(cluster.definitions);
  for (const action of actions) {
    act(cluster, definitions, action, refuse);
    // OLM v1 installs everything that the bundle has.
    if (action.kind === "ClusterExtension")
      for (const { to } of changes.filter((one) => one.to?.bundle.name === action.bundle))
        for (const manifest of definitionsIn(to?.bundle.properties ?? [])) put(definitions, manifest, refuse);
  }
  for (const change of changes)
    if (start.scope === "cluster") refuseOtherVersions(cluster, change, actions, refuse);
    else refuseDisorder(cluster, start, change, actions, refuse);
  return changed({ ...cluster, definitions }, start, changes, refuse);
}

/** The cluster after changes without given actions: every definition is migrated first, and put as it is. */
export function stateAfter(
  cluster: Cluster,
  start: Problem,
  changes: readonly PlannedChange[],
  refuse: Refuse,
): Cluster {
  const definitions = new Map(cluster.definitions);
  for (const { to } of changes)
    for (const manifest of definitionsIn(to?.bundle.properties ?? [])) {
      const name = nameOf(manifest);
      const there = definitions.get(name);
      const left = specOf(manifest).versions.map((version) => version.name);
      const stored = [...(there?.recorded ?? []), ...(there?.objects ?? []).map(({ version }) => version)];
      const isLost = there !== undefined && stored.some((one) => !left.includes(one));
      if (isLost) {
        rewrite(definitions, name, refuse);
        patch(definitions, name, storageOf(there.manifest), refuse);
      }
      put(definitions, manifest, refuse);
    }
  return changed({ ...cluster, definitions }, start, changes, refuse);
}

/** Operators come, move on and go, and Subscriptions with them. */
function changed(cluster: Cluster, start: Problem, changes: readonly PlannedChange[], refuse: Refuse): Cluster {
  const { namespace } = start;
  const isHere = (one: Installed): boolean => one.namespace === namespace;
  let here = cluster.operators.filter(isHere);
  for (const { name } of changes.flatMap(leavingIn)) {
    if (!here.some((one) => one.name === name)) refuse(`${name} does not run in ${namespace}`);
    here = here.filter((one) => one.name !== name);
  }
  for (const { to } of changes) {
    if (to === undefined) continue;
    if (here.some((one) => one.name === to.bundle.name)) refuse(`${to.bundle.name} runs already`);
    here = [...here, operatorOf(to, namespace)];
  }
  const subscriptions = subscriptionsAfter(cluster, start, changes, refuse);
  return {
    ...cluster,
    operators: [...cluster.operators.filter((one) => !isHere(one)), ...here],
    subscriptions: new Map([...cluster.subscriptions, [namespace, subscriptions]]),
  };
}

function leavingIn({ from, alsoFrom }: PlannedChange): readonly Installed[] {
  return from === undefined ? alsoFrom : [from, ...alsoFrom];
}

/** A Subscription that updated an operator goes on with its successor; one that waits for an operator takes one that comes. */
function subscriptionsAfter(
  { operators, subscriptions }: Cluster,
  start: Problem,
  changes: readonly PlannedChange[],
  refuse: Refuse,
): readonly Request[] {
  const { namespace } = start;
  const given = subscriptions.get(namespace) ?? [];
  const isRunning = (name: string | undefined): boolean =>
    operators.some((one) => one.namespace === namespace && one.name === name);
  const all: Request[] = given.flatMap((one) => {
    const change = isRunning(one.installed)
      ? changes.find((each) => leavingIn(each).some(({ name }) => name === one.installed))
      : changes.find(({ to }) => to !== undefined && begins(start, one, to));
    if (change === undefined) return [one];
    if (change.to !== undefined) return [{ ...one, installed: change.to.bundle.name }];
    if (one.isGenerated !== true) refuse(`${one.installed} was requested, but is removed`);
    return [];
  });
  for (const { to, request, generatedSubscription } of changes) {
    if (to === undefined) continue;
    const { name } = to.bundle;
    if (generatedSubscription !== undefined) {
      if (generatedSubscription.startingCSV !== name) refuse(`the Subscription for ${name} begins with something else`);
      const comes = generatedRequest(generatedSubscription);
      if (all.some(({ id }) => id === comes.id)) refuse(`there is a Subscription ${comes.id} already`);
      all.push(comes);
      // Or it was requested on the command line.
    } else if (request !== undefined && !given.some(({ id }) => id === request.id))
      all.push({ ...request, installed: name });
  }
  return all;
}

function generatedRequest(subscription: GeneratedSubscription): Request {
  const { name, namespace, package: owner, channel, source, sourceNamespace, startingCSV } = subscription;
  return {
    id: `${namespace}/${name}`,
    name,
    priority: 0,
    package: owner,
    catalog: { name: source, namespace: sourceNamespace },
    channel,
    startingCSV,
    installed: startingCSV,
    approval: "Automatic",
    isGenerated: true,
  };
}

/** A bundle as it runs. */
function operatorOf({ bundle }: ChosenBundle, namespace: string): Installed {
  const { minKubeVersion, installModes } = bundleFacts(bundle.properties);
  const owned = ownedIn(bundle.properties);
  return {
    namespace,
    name: bundle.name,
    package: bundle.package,
    version: bundle.version,
    properties: bundle.properties,
    minKubeVersion,
    installModes: installModes ?? [],
    ...(owned !== undefined && { owned }),
    hold: undefined,
    place: bundle.place,
  };
}

type Definitions = Map<string, Kept>;

function act(
  { operators }: Cluster,
  definitions: Definitions,
  { verb, kind, name, manifest }: Action,
  refuse: Refuse,
): void {
  if (verb === "rewrite") rewrite(definitions, name, refuse);
  if (kind !== "CustomResourceDefinition") return;
  if (verb === "delete") refuse(`${name} is deleted with all of its objects`);
  if (verb === "patch") {
    const { status } = (manifest ?? {}) as { readonly status?: { readonly storedVersions?: readonly string[] } };
    if (status?.storedVersions === undefined) refuse(`the patch of ${name} has no storedVersions`);
    else patch(definitions, name, status.storedVersions, refuse);
  }
  if (verb !== "create" && verb !== "update" && verb !== "apply") return;
  if (manifest === undefined) {
    refuse(`the content of ${name} is unknown`);
    return;
  }
  if (verb === "create" && definitions.has(name)) refuse(`${name} is there already and cannot be created`);
  // Where definitions were not given, an operator that provides the kind has it.
  const isThere = definitions.has(name) || operators.some((one) => providesKind(one, specOf(manifest)));
  if (verb === "update" && !isThere) refuse(`${name} is not there and cannot be updated`);
  put(definitions, manifest, refuse);
}

/** Every object is read and written again. */
function rewrite(definitions: Definitions, name: string, refuse: Refuse): void {
  const there = definitions.get(name);
  const [storage] = there === undefined ? [] : storageOf(there.manifest);
  if (there === undefined || storage === undefined) {
    refuse(`there is no ${name} whose objects could be rewritten`);
    return;
  }
  const { versions } = specOf(there.manifest);
  if (!versions.some(({ served }) => served))
    refuse(`no version of ${name} is served: its objects cannot be rewritten`);
  for (const { version } of there.objects)
    if (!versions.some((one) => one.name === version)) refuse(`${name} has no ${version}: such objects cannot be read`);
  const spec = specOf(there.manifest);
  for (const text of lostAs(spec, spec, there.objects, storage)) refuse(`${name} is rewritten: ${text}`);
  definitions.set(name, { ...there, objects: [{ version: storage, fields: fieldsIn(spec, storage) }] });
}

/** What objects lose that are read in another version than they are stored in; a webhook would take care of it. */
function lostAs(before: Spec, after: Spec, objects: readonly Stored[], to: string): readonly string[] {
  if (after.conversion?.strategy === "Webhook") return [];
  const left = fieldsIn(after, to);
  return objects
    .filter(({ version }) => version !== to && after.versions.some(({ name }) => name === version))
    .flatMap(({ version, fields }) =>
      fields
        .filter((field) => fieldsIn(before, version).includes(field) && !left.includes(field))
        .map((field) => `an object that is stored in ${version} loses ${field}`),
    );
}

function patch(definitions: Definitions, name: string, recorded: readonly string[], refuse: Refuse): void {
  const there = definitions.get(name);
  if (there === undefined) {
    refuse(`there is no ${name} that could be patched`);
    return;
  }
  for (const version of [...there.objects.map((one) => one.version), ...storageOf(there.manifest)])
    if (!recorded.includes(version)) refuse(`${name}: objects are still stored in ${version}, which a patch drops`);
  for (const version of recorded)
    if (!specOf(there.manifest).versions.some((one) => one.name === version))
      refuse(`${name} has no ${version}, which a patch records`);
  definitions.set(name, { ...there, recorded });
}

function put(definitions: Definitions, manifest: JsonObject, refuse: Refuse): void {
  const name = nameOf(manifest);
  const spec = specOf(manifest);
  const there = definitions.get(name);
  const names = spec.versions.map((version) => version.name);
  const storage = storageOf(manifest);
  if (storage.length !== 1) refuse(`${name} would be stored in ${storage.length} versions`);
  if (new Set(names).size < names.length) refuse(`${name} would have a version twice`);
  for (const [other, { manifest: taken }] of definitions)
    if (other !== name && isOfKind(specOf(taken), spec)) refuse(`${name} would have the kind of ${other}`);
  if (there !== undefined && specOf(there.manifest).scope !== spec.scope) refuse(`${name} would change its scope`);
  for (const version of there?.recorded ?? [])
    if (!names.includes(version)) refuse(`${name} would lose ${version}, which is recorded as stored`);
  for (const { version } of there?.objects ?? [])
    if (!names.includes(version)) refuse(`${name} would lose ${version}, and an object with it`);
  const before = there && specOf(there.manifest);
  if (before?.conversion?.strategy === "Webhook" && storage[0] !== undefined)
    for (const text of lostAs(before, spec, there?.objects ?? [], storage[0]))
      refuse(`${name} loses its webhook: ${text}`);
  definitions.set(name, {
    manifest,
    recorded: [...new Set([...(there?.recorded ?? []), ...storage])],
    // What is written from now on is stored in the new version.
    objects: [
      ...(there?.objects ?? []).filter(({ version }) => !storage.includes(version)),
      ...storage.map((version) => ({ version, fields: fieldsIn(spec, version) })),
    ],
    given: there?.given,
  });
}

/** What a bundle needs comes before it, and nothing is left out. */
function refuseDisorder(
  { subscriptions }: Cluster,
  { namespace }: Problem,
  { to, from, request, generatedSubscription }: PlannedChange,
  actions: readonly Action[],
  refuse: Refuse,
): void {
  if (to === undefined) {
    for (const kind of ["Subscription", "ClusterServiceVersion"])
      if (!actions.some((one) => one.verb === "delete" && one.kind === kind && one.namespace === namespace))
        refuse(`no action deletes the ${kind} of ${from?.name}`);
    return;
  }
  const { bundle } = to;
  const own = actions.filter((action) => action.bundle === bundle.name);
  const arrival = own.findIndex(({ kind }) => kind === "ClusterServiceVersion");
  if (arrival < 0) refuse(`no action brings ${bundle.name}`);
  const asked = subscriptions.get(namespace)?.some(({ id }) => id === request?.id) === true;
  const isNew = generatedSubscription !== undefined || (request !== undefined && !asked);
  if (isNew && !own.some(({ verb, kind }) => verb === "create" && kind === "Subscription"))
    refuse(`no action creates the Subscription of ${bundle.name}`);
  for (const manifest of definitionsIn(bundle.properties)) {
    const name = nameOf(manifest);
    const position = own.findIndex((one) => one.kind === "CustomResourceDefinition" && one.name === name);
    if (position < 0) refuse(`no action of ${bundle.name} brings ${name}`);
    else if (position > arrival) refuse(`${bundle.name} comes before its ${name}`);
  }
}

/** The ClusterExtension of every bundle allows its version, and no other; without one, one is created. */
function refuseOtherVersions(
  { operators, subscriptions }: Cluster,
  change: PlannedChange,
  actions: readonly Action[],
  refuse: Refuse,
): void {
  const { to } = change;
  if (to === undefined) {
    refuse(`${change.package} is removed, and nothing says why it came`);
    return;
  }
  const { name, version } = to.bundle;
  const isThere = (one: string | undefined): boolean =>
    operators.some((each) => each.namespace === "" && each.name === one);
  const own = actions.filter(({ bundle, kind }) => bundle === name && kind === "ClusterExtension");
  if (own.length === 0) refuse(`no ClusterExtension brings ${name}`);
  if (actions.some(({ kind }) => kind !== "ClusterExtension" && kind !== "CustomResourceDefinition"))
    refuse(`${name} comes with something that OLM v1 does not have`);
  for (const { verb, name: extension, manifest } of own) {
    const asking = (subscriptions.get("") ?? []).find(({ id }) => id === extension);
    const { spec } = (manifest ?? {}) as {
      readonly spec?: { readonly source: { readonly catalog: { readonly version: string } } };
    };
    if (verb === "create" && asking !== undefined && leavingIn(change).some((one) => one.name === asking.installed))
      refuse(`the ClusterExtension ${extension} is there already`);
    if (verb === "create") continue;
    if (asking === undefined) refuse(`there is no ClusterExtension ${extension}`);
    else if (asking.package !== to.bundle.package) refuse(`${extension} is for ${asking.package}`);
    else if (isThere(asking.installed) && !leavingIn(change).some((one) => one.name === asking.installed))
      refuse(`${extension} has ${asking.installed}, which stays`);
    if (spec?.source.catalog.version !== printVersion(version)) refuse(`${extension} does not allow ${name}`);
  }
}

function providesKind({ properties, owned }: Installed, { group, names }: Spec): boolean {
  const apis = owned ?? providedIn(properties);
  return apis.some((api) => api.startsWith(`${group}/`) && api.endsWith(`/${names.kind}`));
}

function nameOf(manifest: JsonObject): string {
  return (manifest as { readonly metadata: { readonly name: string } }).metadata.name;
}
