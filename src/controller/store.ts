// Which objects does the server have, as far as we know? The last version of each, by its key.
//
// Two sources say so: a watch, and the answers to own writes, which are usually faster. Versions cannot be compared, but the order of events
// of one object can be relied on: a watch brings every version that was answered, in the order of the writes. So a version that was
// answered and not yet brought is remembered, and what the watch brings before the last of them is old.

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

/** Stands for the end of an object among its versions. */
const DELETED = "";

export class Store<Item extends Versioned> implements Lister<Item> {
  readonly #items = new Map<string, Item>();
  readonly #onChange: (change: StoreChange<Item>) => void;
  /** By key, the versions that a watch is still going to bring and that are known already: the one before all answers, then the answers. */
  readonly #expected = new Map<string, string[]>();
  /** The keys of answers since a list began: the list may be older. */
  readonly #answeredSinceList = new Set<string>();

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

  /** A watch or a list brings an object. A version that is known already is no change; one without a version may be any. */
  put(item: Item): void {
    if (!this.#isOld(item.key, item.resourceVersion)) this.#set(item);
  }

  /** A watch brings the end of an object. */
  remove(key: string): void {
    if (!this.#isOld(key, DELETED)) this.#delete(key);
  }

  /** The answer to an own write: what the object is now; undefined if it is deleted. */
  answer(key: string, item: Item | undefined): void {
    const before = this.#items.get(key)?.resourceVersion ?? DELETED;
    const expected = this.#expected.get(key);
    const version = item?.resourceVersion ?? DELETED;
    if (expected === undefined) this.#expected.set(key, [before, version]);
    else expected.push(version);
    this.#answeredSinceList.add(key);
    if (item === undefined) this.#delete(key);
    else this.#set(item);
  }

  /** A list is asked for: answers that come from now on may be newer than it. */
  beginList(): void {
    this.#answeredSinceList.clear();
  }

  /** Removes all others: a complete list has only these. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of [...this.#items.keys()]) {
      if (keys.has(key) || this.#answeredSinceList.has(key)) continue;
      this.#expected.delete(key);
      this.#delete(key);
    }
  }

  /** Is it an event that was overtaken by an answer? The event of the last answer ends the waiting, and any event that is not known. */
  #isOld(key: string, version: string): boolean {
    const expected = this.#expected.get(key);
    if (expected === undefined) return false;
    const at = expected.indexOf(version);
    if (at >= 0 && at < expected.length - 1) {
      // The first one may come more than once: it is what was known before.
      expected.splice(1, at);
      return true;
    }
    this.#expected.delete(key);
    return false;
  }

  #set(item: Item): void {
    const { key, resourceVersion } = item;
    const before = this.#items.get(key);
    if (before !== undefined && resourceVersion !== "" && before.resourceVersion === resourceVersion) return;
    this.#items.set(key, item);
    this.#onChange({ key, item, before });
  }

  #delete(key: string): void {
    const before = this.#items.get(key);
    if (before === undefined) return;
    this.#items.delete(key);
    this.#onChange({ key, item: undefined, before });
  }
}
