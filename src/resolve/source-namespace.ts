// In which namespace is the CatalogSource of a catalog? Where the catalog does not say, those tell who take from it.

import type { Catalog } from "../model/catalog.ts";
import type { Problem } from "../model/problem.ts";

/** The namespace of a catalog for those in the namespace of a problem: its own, the one that requests name, or theirs. */
export function sourceNamespaceOf(catalog: Catalog, { namespace, requests }: Problem): string {
  if (catalog.namespace !== undefined) return catalog.namespace;
  const named = requests.find((request) => request.catalog?.name === catalog.name && request.catalog.namespace);
  return named?.catalog?.namespace ?? namespace;
}
