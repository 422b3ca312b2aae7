// In which order are catalogs searched? By priority, then those of the namespace itself, then by name; a bundle's own
// catalog comes first (OLM; docs/how-it-resolves.md).

import { compareText } from "../model/json.ts";
import type { CatalogName, Problem, UnavailableCatalog } from "../model/problem.ts";

/** The fields that decide the order of catalogs. */
export interface RankedCatalog extends CatalogName {
  readonly priority: number;
}

/** The order in which a request without a catalog searches catalogs, in a namespace. */
export function compareCatalogs(a: RankedCatalog, b: RankedCatalog, namespace: string): number {
  return (
    b.priority - a.priority ||
    Number(b.namespace === namespace) - Number(a.namespace === namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.namespace ?? "", b.namespace ?? "")
  );
}

/** The catalogs of that name and namespace; if there are none, those of the name whose namespace is unknown. */
export function catalogsCalled<One extends CatalogName>(all: readonly One[], wanted: CatalogName): readonly One[] {
  const same = all.filter((one) => one.name === wanted.name);
  if (wanted.namespace === undefined) return same;
  const own = same.filter((one) => one.namespace === wanted.namespace);
  return own.length > 0 ? own : same.filter((one) => one.namespace === undefined);
}

/** Do two references name the same catalog? */
export function isSameCatalog(a: CatalogName, b: CatalogName): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}

/** The unavailable catalogs, which might have something better; none if they are ignored. */
export function hidingCatalogs({ unavailable, options }: Problem): readonly UnavailableCatalog[] {
  return options.ignoreUnavailable ? [] : unavailable;
}

/** Does a catalog in another namespace have the same name? */
export function sharesName({ name, namespace }: CatalogName, all: readonly CatalogName[]): boolean {
  return all.some((other) => other.name === name && other.namespace !== namespace);
}

/** The name of a catalog, with its namespace where the name alone is ambiguous. */
export function wholeName({ name, namespace }: CatalogName): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

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
