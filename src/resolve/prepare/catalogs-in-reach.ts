// Which catalogs can a namespace use, and with which priority? All that were given and have content, with the
// priorities of their CatalogSources, unless the OperatorGroup excludes catalogs of other namespaces. And was the only
// one given under a name that the cluster does not use? Then no Subscription finds anything in it.

import type { Catalog } from "../../model/catalog.ts";
import type { CatalogSource } from "../../model/catalog-source.ts";
import { groupedBy } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import { inside, plainPlace } from "../../model/place.ts";
import type { CatalogName, UnavailableCatalog } from "../../model/problem.ts";
import type { Subscription } from "../../model/subscription.ts";
import { catalogsCalled, isSameCatalog, wholeName } from "../catalog-order.ts";
import type { Given, PreparationWarning } from "./problem-inputs.ts";

/** Catalogs with their priorities, sorted by namespace and name. */
export interface RankedCatalogs {
  readonly catalogs: readonly Catalog[];
  readonly unavailable: readonly UnavailableCatalog[];
  readonly warnings: readonly PreparationWarning[];
}

/** Gives catalogs the priority and namespace of their CatalogSources, unless they have their own. */
export function rankCatalogs(
  catalogs: readonly Catalog[],
  unavailable: readonly UnavailableCatalog[],
  sources: readonly CatalogSource[],
): RankedCatalogs {
  const warnings: PreparationWarning[] = [];
  const ranked = <One extends CatalogName & { readonly priority: number }>(catalog: One): One => {
    const { name, namespace } = catalog;
    const own = sources.filter(
      (source) => source.name === name && (namespace === undefined || source.namespace === namespace),
    );
    const [first] = own;
    if (first === undefined) return catalog;
    const isClear = own.every(({ priority }) => priority === first.priority);
    if (!isClear && catalog.priority === 0) warnings.push({ code: "catalog-priority", catalog: name });
    const priority = catalog.priority === 0 && isClear ? first.priority : catalog.priority;
    const known = namespace ?? (own.length === 1 ? first.namespace : undefined);
    if (priority === catalog.priority && known === namespace) return catalog;
    return { ...catalog, priority, ...(known !== undefined && { namespace: known }) };
  };
  return {
    catalogs: catalogs.map(ranked).sort(compareNames),
    unavailable: unavailable.map(ranked).sort(compareNames),
    warnings,
  };
}

function compareNames(a: CatalogName, b: CatalogName): number {
  return compareText(a.namespace ?? "", b.namespace ?? "") || compareText(a.name, b.name);
}

/** The catalogs that a namespace may use: with `ownOnly`, without those known to belong to another one (case I08). */
export function inReach<One extends CatalogName & Pick<Catalog, "onlyFor">>(
  catalogs: readonly One[],
  namespace: string,
  ownOnly: boolean,
): readonly One[] {
  return catalogs.filter(
    (one) =>
      one.namespace === undefined || one.namespace === namespace || !(ownOnly || one.onlyFor === "own-namespace"),
  );
}

/** The catalogs with content, and those that were not loaded or are empty: an empty catalog counts as unreachable. */
export function usableCatalogs(
  wanted: readonly (CatalogName & Pick<UnavailableCatalog, "priority" | "onlyFor">)[],
  loaded: readonly Catalog[],
): { readonly catalogs: readonly Catalog[]; readonly unavailable: readonly UnavailableCatalog[] } {
  const catalogs = loaded.filter(({ packages }) => packages.size > 0);
  return {
    catalogs,
    unavailable: wanted
      .filter((one) => !catalogs.some((catalog) => isSameCatalog(catalog, one)))
      .map(({ name, namespace, priority, onlyFor }) => {
        const isLoaded = loaded.some((catalog) => isSameCatalog(catalog, { name, namespace }));
        const reason = isLoaded ? "nothing in it can be used" : "it could not be loaded";
        return { name, namespace, priority, reason, ...(onlyFor !== undefined && { onlyFor }) };
      }),
  };
}

/** The warning, with the flag to use; `path` is where the catalog was found. */
export function misnamedCatalog(given: Given, path: string): PreparationWarning | undefined {
  const { catalogs, unavailable, objects, namespaces } = given;
  const [catalog] = catalogs;
  if (catalog === undefined || catalogs.length + unavailable.length > 1) return undefined;
  const subscribed = objects.subscriptions.filter(({ namespace }) => namespaces.includes(namespace));
  const isUsed = [...objects.catalogSources, ...subscribed.map(sourceOf)].some(
    (one) => catalogsCalled([catalog], one).length > 0,
  );
  const meant = isUsed ? undefined : sourceMeant(subscribed, catalog);
  if (meant === undefined) return undefined;
  const [first, ...more] = meant.subscriptions as readonly [Subscription, ...Subscription[]];
  return {
    code: "catalog-name",
    subscription: `${first.namespace}/${first.name}`,
    more: more.length,
    meant: meant.source,
    given: wholeName(catalog),
    path,
    place: plainPlace(inside(first.place, "spec", "source")),
  };
}

function sourceOf({ source, sourceNamespace }: Subscription): CatalogName {
  return { name: source, namespace: sourceNamespace };
}

/**
 * The source of most Subscriptions whose package the catalog has, with its namespace if the catalog was given with
 * one; the first by name among equals.
 */
function sourceMeant(
  subscribed: readonly Subscription[],
  { packages, namespace }: Catalog,
): { readonly source: string; readonly subscriptions: readonly Subscription[] } | undefined {
  const found = groupedBy(
    subscribed.filter((one) => packages.has(one.package)),
    (one) => (namespace === undefined ? one.source : wholeName(sourceOf(one))),
  );
  const [best] = [...found].sort(([a, x], [b, y]) => y.length - x.length || compareText(a, b));
  return best && { source: best[0], subscriptions: best[1] };
}
