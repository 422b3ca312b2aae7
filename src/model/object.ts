// What does every object of a cluster have? A place in the input, and a name.

import type { Place } from "./place.ts";

/** An object of the input. */
export interface NamedObject {
  readonly place: Place;
  readonly name: string;
}

/** An object in a namespace. */
export interface NamespacedObject extends NamedObject {
  readonly namespace: string;
}
