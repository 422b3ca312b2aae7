// Which catalogs can a namespace use, and with which priority? All that were given, with the priorities of their
// CatalogSources, unless the OperatorGroup excludes catalogs of other namespaces.

import type { Catalog } from "../../model/catalog.ts";
import type { CatalogSource } from "../../model/catalog-source.ts";
import { compareText } from "../../model/json.ts";
import type { CatalogName, UnavailableCatalog } from "../../model/problem.ts";
import type { PreparationWarning } from "./given.ts";

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
    if (!isClear && catalog.priority === 0) warnings.push(severalPriorities(name));
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

function severalPriorities(name: string): PreparationWarning {
  return { code: "catalog-priority", catalog: name };
}

function compareNames(a: CatalogName, b: CatalogName): number {
  return compareText(a.namespace ?? "", b.namespace ?? "") || compareText(a.name, b.name);
}

/** The catalogs that a namespace may use: with `ownOnly`, without those known to belong to another one (case I08). */
export function inReach<One extends CatalogName>(
  catalogs: readonly One[],
  namespace: string,
  ownOnly: boolean,
): readonly One[] {
  if (!ownOnly) return catalogs;
  return catalogs.filter((catalog) => catalog.namespace === undefined || catalog.namespace === namespace);
}
