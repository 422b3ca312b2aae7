// How does a store follow a collection of the API server? It is listed once, and then watched from the resourceVersion of the list. A
// watch that ends is resumed from the last version; if the server has forgotten that version (410), the collection is listed again.

import type { ApiServer, Selectors } from "../kube/api-server.ts";
import type { WatchEvent } from "../kube/watch-events.ts";
import { Backoff } from "../net/backoff.ts";
import { withEither } from "../net/either-signal.ts";
import { type FailureKind, failureOfOne, NetFailure } from "../net/failure.ts";
import { field, parsedJson, textField } from "../net/json-fields.ts";
import { type Clock, sleep } from "./clock.ts";
import type { Store, Versioned } from "./store.ts";

export interface ReflectorOptions<Item extends Versioned> {
  /** Of the collection, such as /apis/cluster.open-cluster-management.io/v1/managedclusters. */
  readonly path: string;
  /** The objects of the collection that are followed; by default all. */
  readonly selectors?: Selectors;
  readonly server: Pick<ApiServer, "list" | "watch">;
  readonly store: Store<Item>;
  /** Parses the JSON text of an object; a string says why that failed. */
  readonly read: (text: string) => Item | string;
  readonly onState: (state: ReflectorState) => void;
  /** An object was skipped; `why` is the reason. */
  readonly onSkipped?: (why: string) => void;
  /**
   * The collection counts as lost if its first list, or a requested one, fails this many milliseconds after the first attempt began, or
   * later; undefined: never.
   */
  readonly lostAfter?: number;
  readonly clock: Clock;
  /** At least 0, less than 1. */
  readonly random: () => number;
}

/** Once the first list is complete, the state is `synced` or `failing`: readers do not wait for later lists. */
export type ReflectorState =
  /** The first list is not complete. */
  | { readonly is: "listing" }
  /** The store has what the server has, or will have it within moments. */
  | { readonly is: "synced" }
  /**
   * The store stays as it is, and listing or watching is retried. `isSynced`: an earlier list was complete. `isLost`: do not wait for it.
   * The server refuses it until a role or the served APIs change, or a requested list has failed for too long.
   */
  | {
      readonly is: "failing";
      readonly failure: NetFailure;
      readonly isSynced: boolean;
      readonly isLost: boolean;
    };

const FIRST_WAIT = 500;
const MAX_WAIT = 15_000;

/** A watch that ends sooner than this without an event is not resumed at once. */
const SHORT_WATCH = 1000;

/** Duration of a watch in seconds after which a change that was missed is listed. */
const MISSED_WATCH_SECONDS = 10;
/** Duration of a watch in seconds: random, so that several reflectors do not resume at the same moment. */
const MIN_WATCH_SECONDS = 300;
const MAX_WATCH_SECONDS = 600;

/**
 * After these failures, a watch is resumed from its last version: the server was not reached, or did not look at the version. Any other
 * failure may be caused by the version: a server whose data was restored from a backup may refuse a version that it has not reached, or
 * accept it and send nothing, not even a bookmark, until it has reached it.
 */
const KEEPS_VERSION: ReadonlySet<FailureKind> = new Set([
  "not-configured",
  "config",
  "credentials",
  "unreachable",
  "certificate",
  "unauthorized",
  "forbidden",
  "throttled",
]);

/**
 * Milliseconds of 403 before a collection counts as refused: an API server that has just started forbids everything until it has read its
 * roles.
 */
const REFUSED_AFTER = 5000;

export class Reflector<Item extends Versioned> {
  readonly #options: ReflectorOptions<Item>;
  readonly #backoff: Backoff;
  #state: ReflectorState | undefined;
  #isSynced = false;
  /** The version to watch from; undefined if the collection has to be listed. */
  #from: string | undefined;
  /** A change could not be read: which object it is about is unknown, until the next list. */
  #hasMissed = false;
  /** The last failure was an answer of the server. */
  #hasAnswered = true;
  /** Since when the server has forbidden every attempt, in monotonic milliseconds. */
  #forbiddenSince: number | undefined;
  /** When the first attempt began of the list that is missing, in monotonic milliseconds. */
  #unlistedSince: number | undefined;
  /** It counts as lost since a list has failed. */
  #isListLost = false;
  /** Ends the watch or the wait that is under way. */
  #interrupt: AbortController | undefined;
  /** Those who wait for a list that starts after their request. */
  #refreshing: (() => void)[] = [];

  constructor(options: ReflectorOptions<Item>) {
    this.#options = options;
    this.#backoff = new Backoff({ first: FIRST_WAIT, max: MAX_WAIT, random: options.random });
  }

  /** Lists once more; resolves when the store has at least what the server has now, or when the collection is lost. */
  refresh(): Promise<void> {
    return new Promise((done) => {
      this.#refreshing.push(done);
      this.#from = undefined;
      this.#interrupt?.abort();
    });
  }

  /** Follows the collection until it is cancelled. No failure of the server ends it; an error that is not a failure is a bug. */
  async run(signal: AbortSignal): Promise<void> {
    this.#report({ is: "listing" });
    try {
      while (!signal.aborted) {
        const wait = await this.#next(signal);
        if (wait > 0) await this.#interruptible(signal, (either) => sleep(this.#options.clock, wait, either));
      }
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error; // otherwise cancelled
    }
  }

  /** One list or one watch; the result is how many milliseconds to wait after it. */
  async #next(signal: AbortSignal): Promise<number> {
    try {
      if (this.#from !== undefined) return await this.#watch(this.#from, signal);
      await this.#list(signal);
      return 0;
    } catch (error) {
      const failure = failureOfOne(error);
      if (signal.aborted) return 0;
      const untilLost = this.#untilLost(failure.kind);
      if (untilLost === 0 && this.#from === undefined) this.#isListLost = true;
      const isLost = untilLost === 0 || this.#isListLost;
      this.#report({ is: "failing", failure, isSynced: this.#isSynced, isLost });
      if (isLost) for (const done of this.#refreshing.splice(0)) done();
      if (!KEEPS_VERSION.has(failure.kind) || this.#hasMissed) this.#from = undefined;
      const wait = Math.max(this.#wait(failure.status !== undefined), failure.retryAfter ?? 0);
      return isLost ? wait : Math.min(wait, untilLost);
    }
  }

  /** Milliseconds until the collection counts as lost if it goes on failing like this: 0 if it does now, infinite if it never will. */
  #untilLost(kind: FailureKind): number {
    const { clock, lostAfter = Number.POSITIVE_INFINITY } = this.#options;
    const now = clock.monotonic();
    this.#forbiddenSince = kind === "forbidden" ? (this.#forbiddenSince ?? now) : undefined;
    if (kind === "not-found") return 0;
    const refusedAt = (this.#forbiddenSince ?? Number.POSITIVE_INFINITY) + REFUSED_AFTER;
    // Until the first list, every reader waits.
    const isWaitedFor = this.#refreshing.length > 0 || !this.#isSynced;
    const lostAt = (isWaitedFor ? this.#unlistedSince : undefined) ?? Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(refusedAt, lostAt + lostAfter) - now);
  }

  /** How long to wait after a failure. Once the server answers again, the backoff of the outage is reset. */
  #wait(hasAnswered: boolean): number {
    if (hasAnswered && !this.#hasAnswered) this.#backoff.reset();
    this.#hasAnswered = hasAnswered;
    return this.#backoff.next();
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { path, selectors, server, store, clock } = this.#options;
    this.#unlistedSince ??= clock.monotonic();
    const listed = new Set<string>();
    const refreshing = this.#refreshing;
    this.#refreshing = [];
    store.beginList();
    const take = (text: string): void => {
      const item = this.#read(text);
      if (item === undefined) return;
      listed.add(item.key);
      store.put(item);
    };
    const result = await server
      .list(path, { ...selectors, signal, onRestart: () => listed.clear() }, take)
      .catch((error: unknown) => {
        this.#refreshing.push(...refreshing);
        throw error;
      });
    for (let count = 0; count < result.overlong; count++)
      this.#options.onSkipped?.("it is longer than an object may be");
    this.#hasMissed = store.keepOnly(listed);
    this.#forbiddenSince = undefined;
    this.#unlistedSince = undefined;
    const isNews = !this.#isSynced || this.#isListLost;
    this.#isSynced = true;
    this.#isListLost = false;
    for (const done of refreshing) done();
    // A watch from nowhere would report all objects, but not those that were deleted since the list.
    if (result.resourceVersion === "")
      throw new NetFailure("malformed", `the list of ${path} has no resourceVersion to watch from`, {
        help: "it is listed again and again instead; check the server of this API",
      });
    this.#from = this.#refreshing.length > 0 ? undefined : result.resourceVersion;
    // The watch may have failed, too: whether it works again is seen when it opens.
    if (isNews) this.#report({ is: "synced" });
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<number> {
    const { path, selectors, server, clock, random } = this.#options;
    let openedAt: number | undefined;
    let changes = 0;
    let isOver = false;
    const onOpen = (): void => {
      openedAt = clock.monotonic();
      this.#forbiddenSince = undefined;
      this.#report({ is: "synced" });
    };
    const take = (event: WatchEvent, { aborted }: AbortSignal): void => {
      // A late event is older than what the next list or watch delivers.
      if (!aborted && !isOver && this.#take(event)) changes++;
    };
    const seconds = MIN_WATCH_SECONDS + Math.floor(random() * (MAX_WATCH_SECONDS - MIN_WATCH_SECONDS + 1));
    const timeoutSeconds = this.#hasMissed ? MISSED_WATCH_SECONDS : seconds;
    const hasWorked = (): boolean =>
      changes > 0 || (openedAt !== undefined && clock.monotonic() - openedAt >= SHORT_WATCH);
    try {
      const isInterrupted = await this.#interruptible(signal, (either) =>
        server.watch(path, { ...selectors, resourceVersion, timeoutSeconds, signal: either, onOpen }, (event) =>
          take(event, either),
        ),
      );
      if (isInterrupted) return 0;
      if (this.#hasMissed) this.#from = undefined;
    } catch (error) {
      if (!(error instanceof NetFailure && error.kind === "expired")) throw error;
      this.#from = undefined;
    } finally {
      isOver = true;
      if (hasWorked()) this.#backoff.reset();
    }
    return hasWorked() ? 0 : this.#wait(true);
  }

  /** Waits for an action until it ends, is cancelled, or a list is requested; true if a list is requested. */
  async #interruptible(signal: AbortSignal, work: (either: AbortSignal) => Promise<void>): Promise<boolean> {
    const interrupt = new AbortController();
    this.#interrupt = interrupt;
    try {
      await withEither(signal, interrupt.signal, work);
      return false;
    } catch (error) {
      if (interrupt.signal.aborted && !signal.aborted) return true;
      throw error;
    } finally {
      this.#interrupt = undefined;
    }
  }

  /** Puts a change into the store; false if it cannot be read. */
  #take({ type, object }: WatchEvent): boolean {
    if (type === "BOOKMARK") {
      this.#from = textField(field(parsedJson(object), "metadata"), "resourceVersion") ?? this.#from;
      return false;
    }
    const item = this.#read(object);
    if (item === undefined) {
      this.#hasMissed = true;
      return false;
    }
    if (type === "DELETED") this.#options.store.remove(item.key);
    else this.#options.store.put(item);
    if (item.resourceVersion !== "") this.#from = item.resourceVersion;
    return true;
  }

  #read(text: string): Item | undefined {
    const item = this.#options.read(text);
    if (typeof item !== "string") return item;
    this.#options.onSkipped?.(item);
    return undefined;
  }

  #report(state: ReflectorState): void {
    if (this.#state !== undefined && isSame(this.#state, state)) return;
    this.#state = state;
    this.#options.onState(state);
  }
}

function isSame(a: ReflectorState, b: ReflectorState): boolean {
  if (a.is !== "failing" || b.is !== "failing") return a.is === b.is;
  const isSameFailure = a.failure.kind === b.failure.kind && a.failure.message === b.failure.message;
  return a.isSynced === b.isSynced && a.isLost === b.isLost && isSameFailure;
}
