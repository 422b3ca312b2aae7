// Which objects does the server have, as far as we know? The last version of each, by its key.
//
// Two sources say so: a watch, and the answers to own writes, which are usually faster. Versions cannot be compared, but the order of events
// of one object can be relied on: a watch brings every version that was answered, in the order of the writes. So a version that was
// answered and not yet brought is remembered, and what the watch brings before the last of them is old.

export interface Versioned {
  readonly key: string;
  readonly resourceVersion: string;
}

export interface StoreChange<Item> {
  readonly key: string;
  /** Undefined if it was removed. */
  readonly item: Item | undefined;
  readonly before: Item | undefined;
}

/** Stands for the end of an object among its versions. */
const DELETED = "";

export class Store<Item extends Versioned> {
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

  /**
   * The watch is over, and a list is asked for: it has every answer until now, or what came after it. Answers that come from now on
   * may be newer than the list.
   */
  beginList(): void {
    this.#expected.clear();
    this.#answeredSinceList.clear();
  }

  /**
   * Removes all others: a complete list has only these. The result is whether an object is kept that the list does not have, because of
   * an answer: another client may have deleted it before the list was made, and no watch from the list reports that.
   */
  keepOnly(keys: ReadonlySet<string>): boolean {
    let isUncertain = false;
    for (const key of [...this.#items.keys()]) {
      if (keys.has(key)) continue;
      if (this.#answeredSinceList.has(key)) isUncertain = true;
      else this.#delete(key);
    }
    return isUncertain;
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
