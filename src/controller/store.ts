// Which objects does the server have, as far as is known here? The last version of each, by its key.
//
// There are two sources: a watch, and the answers to own writes, which are usually faster. Versions cannot be compared, but a watch delivers
// the versions of one object in order, those of own writes included. So versions that were answered and not yet delivered are remembered,
// and what the watch delivers before the last of them is outdated. This holds because each own write directly follows the version before
// it: it carries that resourceVersion.

export interface Versioned {
  readonly key: string;
  readonly resourceVersion: string;
}

export interface StoreChange<Item> {
  readonly key: string;
  /** Undefined if it was removed. */
  readonly item: Item | undefined;
  readonly before: Item | undefined;
  readonly source: ChangeSource;
}

/** Where a change comes from: a list or a watch, or the answer to a write of this process. */
export type ChangeSource = "list-or-watch" | "own-write";

/** The version of an object that was deleted. */
const DELETED = "";

export class Store<Item extends Versioned> {
  readonly #items = new Map<string, Item>();
  readonly #onChange: (change: StoreChange<Item>) => void;
  /** By key, versions already known that the watch has yet to deliver: the one before all answers, then the answers. */
  readonly #expected = new Map<string, string[]>();
  /** Keys with an answer since the current list began: the list may be older than the answer. */
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

  /** An object from a list or a watch. A version that is already known is no change; an object without a version always is one. */
  put(item: Item): void {
    if (!this.#isOld(item.key, item.resourceVersion)) this.#set(item, "list-or-watch");
  }

  /** A deletion from a watch. */
  remove(key: string): void {
    if (!this.#isOld(key, DELETED)) this.#delete(key, "list-or-watch");
  }

  /** The answer to an own write: what the object is now; undefined if it is deleted. */
  answer(key: string, item: Item | undefined): void {
    const before = this.#items.get(key)?.resourceVersion ?? DELETED;
    const expected = this.#expected.get(key);
    const version = item?.resourceVersion ?? DELETED;
    if (expected === undefined) this.#expected.set(key, [before, version]);
    else expected.push(version);
    this.#answeredSinceList.add(key);
    if (item === undefined) this.#delete(key, "own-write");
    else this.#set(item, "own-write");
  }

  /**
   * The watch has ended, and a list is requested: it reflects every answer until now. Answers that arrive from now on may be newer than the
   * list.
   */
  beginList(): void {
    this.#expected.clear();
    this.#answeredSinceList.clear();
  }

  /**
   * Removes all objects that a complete list does not have. The result is whether an object is kept nevertheless, because of an answer:
   * another client may have deleted it before the list was made, and no watch from the list reports that.
   */
  keepOnly(keys: ReadonlySet<string>): boolean {
    let isUncertain = false;
    for (const key of [...this.#items.keys()]) {
      if (keys.has(key)) continue;
      if (this.#answeredSinceList.has(key)) isUncertain = true;
      else this.#delete(key, "list-or-watch");
    }
    return isUncertain;
  }

  /** Whether an event is older than an answer already applied. The event of the last answer, or an unknown version, ends the check. */
  #isOld(key: string, version: string): boolean {
    const expected = this.#expected.get(key);
    if (expected === undefined) return false;
    const at = expected.indexOf(version);
    if (at >= 0 && at < expected.length - 1) {
      // The first one may be delivered more than once: it was known before.
      expected.splice(1, at);
      return true;
    }
    this.#expected.delete(key);
    return false;
  }

  #set(item: Item, source: ChangeSource): void {
    const { key, resourceVersion } = item;
    const before = this.#items.get(key);
    if (before !== undefined && resourceVersion !== "" && before.resourceVersion === resourceVersion) return;
    this.#items.set(key, item);
    this.#onChange({ key, item, before, source });
  }

  #delete(key: string, source: ChangeSource): void {
    const before = this.#items.get(key);
    if (before === undefined) return;
    this.#items.delete(key);
    this.#onChange({ key, item: undefined, before, source });
  }
}
