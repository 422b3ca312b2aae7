// What is in a namespace? Namespaced objects, grouped by namespace and sorted by name.

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
  const found = new Map<string, Item[]>();
  for (const item of items.toSorted(compareNamespaced)) {
    const others = found.get(item.namespace);
    if (others === undefined) found.set(item.namespace, [item]);
    else others.push(item);
  }
  return found;
}
