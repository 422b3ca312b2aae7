// In which order are catalogs asked? Priority first, then those of the namespace, then by name; a bundle's own catalog
// comes before all others (OLM; docs/how-it-resolves.md).

import { compareText } from "../model/json.ts";
import type { CatalogName } from "../model/problem.ts";

/** What decides about the place of a catalog. */
export interface RankedCatalog extends CatalogName {
  readonly priority: number;
}

/** The order in which requests without a catalog see catalogs of a namespace. */
export function compareCatalogs(a: RankedCatalog, b: RankedCatalog, namespace: string): number {
  return (
    b.priority - a.priority ||
    Number(b.namespace === namespace) - Number(a.namespace === namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.namespace ?? "", b.namespace ?? "")
  );
}

/** Those that are meant: of the name and namespace; where there is none, one of the name whose namespace is not known. */
export function catalogsCalled<One extends CatalogName>(all: readonly One[], wanted: CatalogName): readonly One[] {
  const same = all.filter((one) => one.name === wanted.name);
  if (wanted.namespace === undefined) return same;
  const own = same.filter((one) => one.namespace === wanted.namespace);
  return own.length > 0 ? own : same.filter((one) => one.namespace === undefined);
}

/** Has another catalog the same name, in another namespace? */
export function sharesName({ name, namespace }: CatalogName, all: readonly CatalogName[]): boolean {
  return all.some((other) => other.name === name && other.namespace !== namespace);
}

/** A catalog as it is called where the name alone does not tell. */
export function wholeName({ name, namespace }: CatalogName): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
