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
export function byNamespace<Thing extends Namespaced>(things: readonly Thing[]): ReadonlyMap<string, readonly Thing[]> {
  const found = new Map<string, Thing[]>();
  for (const thing of things.toSorted(compareNamespaced)) {
    const others = found.get(thing.namespace);
    if (others === undefined) found.set(thing.namespace, [thing]);
    else others.push(thing);
  }
  return found;
}
