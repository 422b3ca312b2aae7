// Which of the requested catalogs can be used?

import type { Catalog } from "../../model/catalog.ts";
import type { CatalogName, UnavailableCatalog } from "../../model/problem.ts";

/** The catalogs with content, and those that were not loaded or are empty: an empty catalog counts as unreachable. */
export function usableCatalogs(
  wanted: readonly (CatalogName & Pick<UnavailableCatalog, "priority">)[],
  loaded: readonly Catalog[],
): { readonly catalogs: readonly Catalog[]; readonly unavailable: readonly UnavailableCatalog[] } {
  const catalogs = loaded.filter(({ packages }) => packages.size > 0);
  const isSame = (a: CatalogName, b: CatalogName): boolean => a.name === b.name && a.namespace === b.namespace;
  return {
    catalogs,
    unavailable: wanted
      .filter((one) => !catalogs.some((catalog) => isSame(catalog, one)))
      .map(({ name, namespace, priority }) => {
        const isLoaded = loaded.some((catalog) => isSame(catalog, { name, namespace }));
        return { name, namespace, priority, reason: isLoaded ? "nothing in it can be used" : "it could not be loaded" };
      }),
  };
}
