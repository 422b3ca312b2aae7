// In which namespace is the CatalogSource of a catalog? If the catalog does not state it, the requests that name it
// do.

import type { CatalogName, Problem } from "../model/problem.ts";

/** The namespace of a catalog for a problem: its own, the one that requests name, or the problem's. */
export function sourceNamespaceOf(catalog: CatalogName, problem: Problem): string {
  return knownSourceNamespace(catalog, problem) ?? problem.namespace;
}

/** Its own namespace, or the one that requests name. */
export function knownSourceNamespace(catalog: CatalogName, { requests }: Problem): string | undefined {
  if (catalog.namespace !== undefined) return catalog.namespace;
  const named = requests.find((request) => request.catalog?.name === catalog.name && request.catalog.namespace);
  return named?.catalog?.namespace;
}
