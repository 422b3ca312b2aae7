// What is requested and installed by the ClusterExtensions of OLM v1, and which catalogs can they use? They belong to no
// namespace: one problem has all of them.

import type { Catalog } from "../../model/catalog.ts";
import type { ClusterCatalog } from "../../model/catalog-source.ts";
import type { ClusterExtension } from "../../model/cluster-extension.ts";
import { plainPlace } from "../../model/place.ts";
import {
  type CatalogName,
  CLUSTER_SCOPE,
  compareNamespaced,
  type Installed,
  type UnavailableCatalog,
} from "../../model/problem.ts";
import { parseTolerant } from "../../semver/tolerant.ts";
import { compareCatalogs } from "../catalog-order.ts";
import { runningAs } from "../state-after.ts";
import type { LabelledCatalog } from "./catalog-selector.ts";
import type { Given, PreparationWarning } from "./problem-inputs.ts";

/** The catalogs of ClusterExtensions. */
export interface ClusterScopeCatalogs {
  /** With the priorities of their ClusterCatalogs, sorted by name. */
  readonly catalogs: readonly Catalog[];
  readonly unavailable: readonly UnavailableCatalog[];
  /** ClusterCatalogs whose content was not given. */
  readonly notGiven: readonly CatalogName[];
  /** All of them, with their labels. */
  readonly labelled: readonly LabelledCatalog[];
  readonly warnings: readonly PreparationWarning[];
}

/** The catalogs of OLM v1: those that were given, except those that only OLM v0 has and those that are disabled. */
export function clusterScopeCatalogs({ catalogs, unavailable, objects }: Given): ClusterScopeCatalogs {
  const objectOf = new Map(objects.clusterCatalogs.map((one) => [one.name, one]));
  const ofNamespaces = new Set([
    ...objects.catalogSources.map(({ name }) => name),
    ...objects.subscriptions.map(({ source }) => source),
  ]);
  const isUsable = ({ name, namespace }: CatalogName): boolean => {
    const object = objectOf.get(name);
    if (namespace !== undefined || (object !== undefined && isDisabled(object))) return false;
    return object !== undefined || objectOf.size === 0 || !ofNamespaces.has(name);
  };
  const ranked = <One extends CatalogName & { readonly priority: number }>(catalog: One): One => {
    const priority = catalog.priority === 0 ? (objectOf.get(catalog.name)?.priority ?? 0) : catalog.priority;
    return priority === catalog.priority ? catalog : { ...catalog, priority };
  };
  const usable = catalogs.filter(isUsable).map(ranked).sort(compareNamespaced);
  const away = unavailable.filter(isUsable).map(ranked).sort(compareNamespaced);
  const known = new Set([...usable, ...away].map(({ name }) => name));
  const notGiven = [...objectOf.values()]
    .filter((one) => !isDisabled(one) && !known.has(one.name))
    .map(({ name }) => ({ name }))
    .sort(compareNamespaced);
  const disabled = catalogs
    .filter(({ name, namespace }) => {
      const object = objectOf.get(name);
      return namespace === undefined && object !== undefined && isDisabled(object);
    })
    .sort(compareNamespaced);
  return {
    catalogs: usable,
    unavailable: away,
    notGiven,
    labelled: [...usable, ...away, ...notGiven].map(({ name }) => ({ name, labels: objectOf.get(name)?.labels ?? {} })),
    warnings: disabled.map(({ name }) => ({
      code: "catalog-disabled",
      catalog: name,
      place: plainPlace((objectOf.get(name) as ClusterCatalog).place),
      namespace: CLUSTER_SCOPE,
    })),
  };
}

function isDisabled({ availabilityMode }: ClusterCatalog): boolean {
  return availabilityMode === "Unavailable";
}

/** Is the catalog only for ClusterExtensions: does the cluster have a ClusterCatalog of its name, and nothing of OLM v0 that names it? */
export function isOnlyOfClusterScope(
  { name, namespace, onlyFor }: CatalogName & Pick<Catalog, "onlyFor">,
  { objects }: Given,
): boolean {
  if (onlyFor === "cluster-extensions") return true;
  return (
    namespace === undefined &&
    objects.clusterCatalogs.some((one) => one.name === name) &&
    !objects.catalogSources.some((one) => one.name === name) &&
    !objects.subscriptions.some(({ source }) => source === name)
  );
}

/** What ClusterExtensions have installed, by name; two of them may have the same bundle. */
export interface InstalledBundles {
  readonly installed: readonly Installed[];
  readonly warnings: readonly PreparationWarning[];
}

/** The installed bundles of ClusterExtensions, with the content that a catalog has. */
export function installedBundles(
  extensions: readonly ClusterExtension[],
  { catalogs: own }: Pick<ClusterScopeCatalogs, "catalogs">,
  others: readonly Catalog[],
): InstalledBundles {
  const inOrder = [...own.toSorted((a, b) => compareCatalogs(a, b, CLUSTER_SCOPE)), ...others];
  const found = new Map<string, Installed>();
  const warnings: PreparationWarning[] = [];
  for (const { name: extension, packageName: owner, installed, place } of extensions.toSorted(compareNamespaced)) {
    if (installed === undefined || installed.name === "" || found.has(installed.name)) continue;
    const { name, version: written } = installed;
    const parsed = parseTolerant(written);
    const version = typeof parsed === "string" ? undefined : parsed;
    const bundle = inOrder.flatMap(({ packages }) => packages.get(owner)?.bundles.get(name) ?? [])[0];
    if (bundle !== undefined) {
      found.set(name, { ...runningAs(bundle, CLUSTER_SCOPE), place });
      continue;
    }
    const properties = [{ type: "olm.package", value: { packageName: owner, version: written } }];
    const unknown = { minKubeVersion: undefined, installModes: [], hold: undefined };
    found.set(name, { namespace: CLUSTER_SCOPE, name, package: owner, version, properties, ...unknown, place });
    warnings.push({ code: "bundle-not-given", operator: name, extension, place: plainPlace(place) });
  }
  return { installed: [...found.values()].sort(compareNamespaced), warnings };
}
