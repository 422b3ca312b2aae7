// Which lists find their elements by a key, and so are compared and joined without regard to order?
//
// Kubernetes has two: sets, whose elements are their own keys, and lists of objects that are identified by some of their fields.
import type { Value } from "./value.ts";

/** A list whose elements have keys. To everything but `==` and `+` it is a list like any other. */
export class KeyedList extends Array<Value> {
  /** Filtering and mapping give a plain list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** The key of an element; elements with equal keys take the place of each other. */
  readonly keyOf: (element: Value) => string;
  /** Is an element no more than its key? */
  readonly isSet: boolean;
  #byKey: ReadonlyMap<string, Value> | undefined;

  constructor(elements: readonly Value[], keyOf: (element: Value) => string, isSet: boolean) {
    super();
    for (const element of elements) this.push(element);
    this.keyOf = keyOf;
    this.isSet = isSet;
  }

  /** The element that has the same key. */
  counterpart(element: Value): Value | undefined {
    this.#byKey ??= new Map(Array.from(this, (own) => [this.keyOf(own), own]));
    return this.#byKey.get(this.keyOf(element));
  }

  /** The elements of both: those of the other list replace those with their keys, the rest of them come last. */
  joined(other: readonly Value[]): KeyedList {
    const byKey = new Map(Array.from(this, (own) => [this.keyOf(own), own]));
    for (const element of other) {
      const key = this.keyOf(element);
      if (!this.isSet || !byKey.has(key)) byKey.set(key, element);
    }
    return new KeyedList([...byKey.values()], this.keyOf, this.isSet);
  }
}
