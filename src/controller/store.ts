// Which objects does the server have, as far as we know? The last version of each, by its key.

export interface Versioned {
  readonly key: string;
  readonly resourceVersion: string;
}

/** What may be asked of a store. */
export interface Lister<Item> {
  get(key: string): Item | undefined;
  values(): Iterable<Item>;
  readonly size: number;
}

export interface StoreChange<Item> {
  readonly key: string;
  /** Undefined if it was removed. */
  readonly item: Item | undefined;
  readonly before: Item | undefined;
}

export class Store<Item extends Versioned> implements Lister<Item> {
  readonly #items = new Map<string, Item>();
  readonly #onChange: (change: StoreChange<Item>) => void;
  /** Versions that a watch may still bring although a newer one is here, by key. */
  readonly #superseded = new Map<string, Set<string>>();

  constructor(onChange: (change: StoreChange<Item>) => void) {
    this.#onChange = onChange;
  }

  get(key: string): Item | undefined {
    return this.#items.get(key);
  }

  values(): Iterable<Item> {
    return this.#items.values();
  }

  get size(): number {
    return this.#items.size;
  }

  /** A version of an object that is known already is no change; one without a version may be any. */
  put(item: Item): void {
    const { key, resourceVersion } = item;
    if (this.#superseded.get(key)?.delete(resourceVersion) === true) return;
    const before = this.#items.get(key);
    if (before !== undefined && resourceVersion !== "" && before.resourceVersion === resourceVersion) return;
    this.#items.set(key, item);
    this.#onChange({ key, item, before });
  }

  /**
   * A version of an object that this process wrote, and has overwritten since: a watch brings it later than the answer to the write
   * that replaced it. It is ignored once; versions cannot be compared.
   */
  supersede(key: string, resourceVersion: string): void {
    const versions = this.#superseded.get(key);
    if (versions === undefined) this.#superseded.set(key, new Set([resourceVersion]));
    else versions.add(resourceVersion);
  }

  remove(key: string): void {
    const before = this.#items.get(key);
    if (before === undefined) return;
    this.#items.delete(key);
    this.#onChange({ key, item: undefined, before });
  }

  /** Removes all others: a complete list has only these. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of [...this.#items.keys()]) if (!keys.has(key)) this.remove(key);
    this.#superseded.clear();
  }
}
