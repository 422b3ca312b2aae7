// What is in a namespace? Namespaced objects, grouped by namespace and sorted by name.

import { groupedBy } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";

/** An object of a namespace. */
export interface Namespaced {
  readonly namespace: string;
  readonly name: string;
}

/** The order of objects: by namespace, then by name. */
export function compareNamespaced(a: Namespaced, b: Namespaced): number {
  return compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
}

/** Objects by namespace, in the order of namespaces and names. */
export function byNamespace<Item extends Namespaced>(items: readonly Item[]): ReadonlyMap<string, readonly Item[]> {
  return groupedBy(items.toSorted(compareNamespaced), (item) => item.namespace);
}
