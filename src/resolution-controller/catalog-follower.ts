// When is a catalog read, and what is known of it? It is read when its object changes, and now and then. What was read last counts as long
// as nothing newer can be read, but only for the same source.

import { type Clock, sleep } from "../controller/clock.ts";
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
/** How many are read at the same time. */
const READS_AT_ONCE = 4;

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
}

export class CatalogFollower {
  readonly #options: CatalogFollowerOptions;
  readonly #followed = new Map<string, Followed>();
  /** What ends the wait of a catalog, or its reading, when it is followed no longer or has changed. */
  readonly #turns = new Map<string, AbortController>();
  readonly #queue: (() => void)[] = [];
  #reading = 0;

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
    const isSame = before?.source === source;
    this.#followed.set(id, {
      key: { name, ...(namespace !== "" && { namespace }) },
      ...{ refresh, source },
      content: isSame ? before.content : undefined,
      why: isSame ? before.why : undefined,
      whySince: isSame ? before.whySince : 0,
      isTried: isSame && before.isTried,
    });
    if (!isSame && before !== undefined) this.#options.onChange();
    this.#turns.get(id)?.abort();
    const turn = new AbortController();
    this.#turns.set(id, turn);
    void this.#follow(id, turn.signal);
  }

  remove(id: string): void {
    this.#turns.get(id)?.abort();
    this.#turns.delete(id);
    if (this.#followed.delete(id)) this.#options.onChange();
  }

  stop(): void {
    for (const turn of this.#turns.values()) turn.abort();
  }

  /** Reads a catalog again and again, until it changes. */
  async #follow(id: string, signal: AbortSignal): Promise<void> {
    const { clock, random, period } = this.#options;
    const backoff = new Backoff({ ...RETRIES, random });
    while (!signal.aborted) {
      const isRead = await this.#read(id, signal);
      if (isRead) backoff.reset();
      // Not all of them at the same moment.
      const wait = isRead ? period * (0.9 + 0.2 * random()) : Math.min(backoff.next(), period);
      await sleep(clock, wait, signal).catch(() => undefined);
    }
  }

  async #read(id: string, signal: AbortSignal): Promise<boolean> {
    await this.#turn();
    try {
      const before = this.#followed.get(id);
      if (signal.aborted || before === undefined) return false;
      const news = await this.#options.read({ ...before.key, known: before.content?.digest });
      const now = this.#followed.get(id);
      // It has changed meanwhile, and is read again; what was read of the same source counts.
      if (now === undefined || now.source !== before.source) return false;
      if (signal.aborted && news.is !== "changed") return false;
      this.#options.onNews(before.key, news);
      const after = withNews(now, news, this.#options.clock.monotonic());
      this.#followed.set(id, after);
      if (after.content !== now.content || after.why !== now.why || !now.isTried) this.#options.onChange();
      return news.is !== "failed";
    } finally {
      this.#reading--;
      this.#queue.shift()?.();
    }
  }

  /** Waits until there are few others that are read. */
  async #turn(): Promise<void> {
    if (this.#reading >= READS_AT_ONCE) await new Promise<void>((go) => this.#queue.push(go));
    this.#reading++;
  }
}

function withNews(followed: Followed, news: CatalogNews, now: number): Followed {
  if (news.is === "failed") {
    const isKept = followed.why !== undefined && now - followed.whySince < SAME_REASON;
    return { ...followed, isTried: true, ...(!isKept && { why: news.why, whySince: now }) };
  }
  const content = news.is === "changed" ? news.content : followed.content;
  return { ...followed, content, why: undefined, isTried: true };
}
