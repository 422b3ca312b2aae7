// Which CRDs does the cluster have, given or assumed, which custom resources, and which APIs without an operator?

import { bundleDefinitions } from "../../constraint/bundle-definitions.ts";
import { providedApis } from "../../constraint/provided-apis.ts";
import { type Bundle, type Catalog, gvkKey, gvkOf, kindKey } from "../../model/catalog.ts";
import type { ClusterObjects } from "../../model/cluster-objects.ts";
import type { CustomResource, CustomResourceDefinition } from "../../model/custom-resource.ts";
import { groupedBy } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import type { ClusterDefinition, Installed, KindInUse } from "../../model/problem.ts";
import { compareWithBuild } from "../../semver/version.ts";

/**
 * The definitions that were given, and those in the bundles of installed operators, each with the objects of its kind
 * in any version.
 */
export function clusterDefinitions(
  { customResourceDefinitions: given, customResources, rejected, wholeKinds, unreadKinds }: ClusterObjects,
  operators: readonly Installed[],
  catalogs: readonly Catalog[],
): readonly ClusterDefinition[] {
  const objects = groupedBy(customResources.toSorted(byName), (one) => kindKey(one));
  /** Some objects were given, beside a cluster that did not return its own. */
  const isMore = (definition: CustomResourceDefinition): boolean =>
    objects.has(kindKey(definition)) && unreadKinds?.has(kindKey(definition)) === true;
  return [...given.map((definition) => ({ definition })), ...assumedDefinitions(given, operators, catalogs)]
    .map((one) => ({
      ...one,
      objects: objects.get(kindKey(one.definition)) ?? (wholeKinds?.has(kindKey(one.definition)) ? [] : undefined),
      ...((rejected.some(({ kind }) => kind === one.definition.kind) || isMore(one.definition)) && {
        isPartial: true as const,
      }),
    }))
    .sort((a, b) => compareText(a.definition.name, b.definition.name));
}

/** The order of the input has no meaning. */
function byName(a: CustomResource, b: CustomResource): number {
  return (
    compareText(a.namespace ?? "", b.namespace ?? "") ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion)
  );
}

/** The kinds that operators own and that have objects, so that they are in use, except those with known definitions. */
export function kindsInUse(
  { installedOperators, customResources, rejected }: ClusterObjects,
  definitions: readonly ClusterDefinition[],
): readonly KindInUse[] {
  const known = new Set(definitions.map(({ definition }) => kindKey(definition)));
  const given = counted(customResources.map(kindKey));
  const unread = counted(rejected.map(({ kind }) => kind));
  const found = new Map<string, KindInUse>();
  for (const { customResourceDefinitions } of installedOperators)
    for (const { group, kind } of customResourceDefinitions.owned) {
      const key = kindKey({ group, kind });
      const count = (given.get(key) ?? 0) + (unread.get(kind) ?? 0);
      if (count > 0 && !known.has(key)) found.set(key, { group, kind, count });
    }
  return [...found.values()].sort((a, b) => compareText(a.group, b.group) || compareText(a.kind, b.kind));
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/**
 * The served APIs of definitions without an owner, by key: their objects are stored, but not reconciled. `bundles` are
 * operators without a ClusterServiceVersion.
 */
export function orphanApis(
  { customResourceDefinitions, installedOperators }: ClusterObjects,
  bundles: readonly Pick<Installed, "owned" | "properties">[],
): readonly string[] {
  const apis = [
    ...installedOperators.flatMap((one) => one.customResourceDefinitions.owned),
    ...bundles.flatMap(({ owned, properties }) => (owned ?? providedApis(properties)).map(gvkOf)),
  ];
  const owned = new Set(apis.map(({ group, kind }) => JSON.stringify([group, kind])));
  return customResourceDefinitions
    .filter(({ group, kind }) => !owned.has(JSON.stringify([group, kind])))
    .flatMap(({ group, kind, versions }) =>
      versions.filter(({ served }) => served).map(({ name }) => gvkKey({ group, version: name, kind })),
    )
    .sort(compareText);
}

/** A definition, and the name of the installed bundle that contains it. */
export interface AssumedDefinition {
  readonly definition: CustomResourceDefinition;
  readonly assumedFrom: string;
}

/**
 * The definitions in the bundles of operators of all namespaces, except for kinds that were given. If several versions
 * are installed, the newest is the last that was applied.
 */
export function assumedDefinitions(
  given: readonly CustomResourceDefinition[],
  operators: readonly Installed[],
  catalogs: readonly Catalog[],
): readonly AssumedDefinition[] {
  const names = new Set(given.map(({ name }) => name));
  const kinds = new Set(given.map(kindKey));
  const assumed: AssumedDefinition[] = [];
  for (const bundle of operators.toSorted(newestFirst).flatMap((one) => bundleOf(one, catalogs) ?? []))
    for (const definition of bundleDefinitions(bundle.properties).definitions) {
      if (names.has(definition.name) || kinds.has(kindKey(definition))) continue;
      names.add(definition.name);
      kinds.add(kindKey(definition));
      // A manifest inside a property has no line numbers. A status in a bundle is not the cluster's.
      const place = { ...bundle.place, exact: true as const };
      assumed.push({ definition: { ...definition, place, storedVersions: [] }, assumedFrom: bundle.name });
    }
  return assumed;
}

/** The bundle of an operator: if several catalogs have one of its name, the first that has definitions. */
function bundleOf({ name, package: owner }: Installed, catalogs: readonly Catalog[]): Bundle | undefined {
  if (owner === undefined) return undefined;
  return catalogs
    .flatMap(({ packages }) => packages.get(owner)?.bundles.get(name) ?? [])
    .find(({ properties }) => bundleDefinitions(properties).definitions.length > 0);
}

function newestFirst(a: Installed, b: Installed): number {
  if (a.version === undefined || b.version === undefined)
    return Number(a.version === undefined) - Number(b.version === undefined) || compareText(a.name, b.name);
  return compareWithBuild(b.version, a.version) || compareText(a.name, b.name);
}
