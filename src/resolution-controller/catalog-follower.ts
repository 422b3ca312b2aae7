// When is a catalog read, and what is known of it? It is read when its object changes, and now and then. What was read last counts as long
// as nothing newer can be read, but only for the same source.

import { type Clock, sleep } from "../controller/clock.ts";
import { Turns } from "../controller/turns.ts";
import { Backoff } from "../net/backoff.ts";
import type { CatalogKey, CatalogNews, CatalogRequest, CatalogState, PackedCatalog } from "./threads.ts";
import type { WatchedInput } from "./watched-kinds.ts";

export interface CatalogFollowerOptions {
  readonly read: (request: CatalogRequest) => Promise<CatalogNews>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds between two looks. */
  readonly period: number;
  /** What is known of some catalog has changed. */
  readonly onChange: () => void;
  readonly onNews: (key: CatalogKey, news: CatalogNews) => void;
}

/** Waits after failures, in milliseconds; OLM starts the pod of a catalog within seconds. */
const RETRIES = { first: 1000, max: 60_000 };
/** Milliseconds for which a reason stays while reads fail: each attempt may fail in another way, and that is no news for any namespace. */
const SAME_REASON = 600_000;
/** Milliseconds after which it counts as a failure of the catalog that it was not asked to the end: it may be what no engine survives. */
const NOT_ASKED_LIMIT = 600_000;
/** How many are read at the same time, apart from those that take long. */
const READS_AT_ONCE = 4;
/** Milliseconds after which a read takes long: it may hang, and then it would hold up others. */
const LONG_READ = 5000;
/** How many are read at the same time, however long they take. */
const ALL_READS_AT_ONCE = 16;

interface Followed {
  readonly key: CatalogKey;
  readonly refresh: string;
  readonly source: string;
  readonly content: PackedCatalog | undefined;
  readonly why: string | undefined;
  /** Since when that is the reason. */
  readonly whySince: number;
  /** It was read, or could not be, since it is known. */
  readonly isTried: boolean;
  /** Since when it was not asked to the end, if that is so. */
  readonly notAskedSince: number | undefined;
}

/** The reads of one source of a catalog, one after the other: an older one cannot end after a newer one. */
interface Pursuit {
  /** Aborted when the catalog has changed since the last read began, which may not have seen it, and at the end. */
  changed: AbortController;
  /** The catalog is gone, or has another source: what is still being read does not count. */
  isOver: boolean;
}

export class CatalogFollower {
  readonly #options: CatalogFollowerOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #pursuits = new Map<string, Pursuit>();
  readonly #reads = new Turns(READS_AT_ONCE);
  readonly #allReads = new Turns(ALL_READS_AT_ONCE);

  constructor(options: CatalogFollowerOptions) {
    this.#options = options;
  }

  /** All that is known. */
  states(): readonly CatalogState[] {
    return [...this.#followed.values()].map(({ key, content, why }) => ({
      ...key,
      ...(content !== undefined && { content }),
      ...(why !== undefined && { why }),
    }));
  }

  /** Has every catalog been read, or failed to? */
  get isSettled(): boolean {
    return [...this.#followed.values()].every(({ isTried }) => isTried);
  }

  /** A catalog is there, or has changed. */
  put(id: string, { name, namespace, refresh = "", source = "" }: WatchedInput): void {
    const before = this.#followed.get(id);
    if (before?.refresh === refresh) return;
    if (before?.source === source) {
      this.#followed.set(id, { ...before, refresh });
      this.#pursuits.get(id)?.changed.abort();
      return;
    }
    this.#end(id);
    const key = { name, ...(namespace !== "" && { namespace }) };
    this.#followed.set(id, {
      ...{ key, refresh, source },
      ...{ content: undefined, why: undefined, whySince: 0, isTried: false, notAskedSince: undefined },
    });
    if (before !== undefined) this.#options.onChange();
    const pursuit = { changed: new AbortController(), isOver: false };
    this.#pursuits.set(id, pursuit);
    void this.#follow(id, pursuit);
  }

  remove(id: string): void {
    this.#end(id);
    if (this.#followed.delete(id)) this.#options.onChange();
  }

  stop(): void {
    for (const id of [...this.#pursuits.keys()]) this.#end(id);
  }

  #end(id: string): void {
    const pursuit = this.#pursuits.get(id);
    if (pursuit === undefined) return;
    this.#pursuits.delete(id);
    pursuit.isOver = true;
    pursuit.changed.abort();
  }

  /** Reads a catalog again and again: when it has changed, and now and then. */
  async #follow(id: string, pursuit: Pursuit): Promise<void> {
    const { clock, random, period } = this.#options;
    const backoff = new Backoff({ ...RETRIES, random });
    while (!pursuit.isOver) {
      const isRead = await this.#inTurn(() => this.#read(id, pursuit));
      // Not all of them at the same moment.
      const wait = isRead ? period * (0.9 + 0.2 * random()) : Math.min(backoff.next(), period);
      const { signal } = pursuit.changed;
      await sleep(clock, wait, signal).catch(() => undefined);
      if (isRead || signal.aborted) backoff.reset();
    }
  }

  /** Waits until few others are read. Those that come later do not wait for it when it takes long. */
  #inTurn(read: () => Promise<boolean>): Promise<boolean> {
    return this.#allReads.take(async () => {
      const { reading } = await this.#reads.take(async () => {
        const ended = new AbortController();
        const begun = read().finally(() => ended.abort());
        await sleep(this.#options.clock, LONG_READ, ended.signal).catch(() => undefined);
        return { reading: begun };
      });
      return reading;
    });
  }

  /** Was it read? */
  async #read(id: string, pursuit: Pursuit): Promise<boolean> {
    const { read, clock, onNews, onChange } = this.#options;
    const before = this.#followed.get(id);
    if (pursuit.isOver || before === undefined) return false;
    pursuit.changed = new AbortController();
    const news = await read({ ...before.key, known: before.content?.digest });
    const now = this.#followed.get(id);
    if (pursuit.isOver || now === undefined) return false;
    onNews(now.key, news);
    const after = withNews(now, news, clock.monotonic());
    this.#followed.set(id, after);
    if (after.content !== now.content || after.why !== now.why || after.isTried !== now.isTried) onChange();
    return news.is === "changed" || news.is === "unchanged";
  }
}

function withNews(followed: Followed, news: CatalogNews, now: number): Followed {
  const { notAskedSince = now } = followed;
  if (news.is === "not-asked" && now - notAskedSince < NOT_ASKED_LIMIT) return { ...followed, notAskedSince };
  if (news.is === "not-asked") return withReason({ ...followed, notAskedSince }, news.why, now);
  const asked = { ...followed, notAskedSince: undefined };
  if (news.is === "failed") return withReason(asked, news.why, now);
  const content = news.is === "changed" ? news.content : followed.content;
  return { ...asked, content, why: undefined, isTried: true };
}

function withReason(followed: Followed, why: string, now: number): Followed {
  const isKept = followed.why !== undefined && now - followed.whySince < SAME_REASON;
  return { ...followed, isTried: true, ...(!isKept && { why, whySince: now }) };
}
