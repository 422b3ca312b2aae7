// How does a store follow a collection of the API server? It is listed once, and then watched from the version of the list. A watch
// that ends is continued where it was; if the server does not know the changes that far back, the collection is listed again.

import type { ApiServer } from "../kube/api-server.ts";
import type { WatchEvent } from "../kube/watch-events.ts";
import { type FailureKind, failureOfOne, NetFailure } from "../net/failure.ts";
import { field, parsedJson, textField } from "../net/json-fields.ts";
import { Backoff } from "./backoff.ts";
import { type Clock, sleep } from "./clock.ts";
import type { Store, Versioned } from "./store.ts";

export interface ReflectorOptions<Item extends Versioned> {
  /** Of the collection, such as /apis/cluster.open-cluster-management.io/v1/managedclusters. */
  readonly path: string;
  readonly server: Pick<ApiServer, "list" | "watch">;
  readonly store: Store<Item>;
  /** The object of a JSON text; a text says why it is none. */
  readonly read: (text: string) => Item | string;
  readonly onState: (state: ReflectorState) => void;
  /** An object was skipped; the text says why. */
  readonly onSkipped?: (why: string) => void;
  readonly clock: Clock;
  /** At least 0, less than 1. */
  readonly random: () => number;
}

/** Once the first list is complete, the state is `synced` or `failing`: a later list is nothing that a reader has to wait for. */
export type ReflectorState =
  /** The first list is not complete. */
  | { readonly is: "listing" }
  /** The store has what the server has, or will have it within moments. */
  | { readonly is: "synced" }
  /** The store stays as it is, and it is tried again. `isSynced`: an earlier list was complete. */
  | { readonly is: "failing"; readonly failure: NetFailure; readonly isSynced: boolean };

const FIRST_WAIT = 500;
const MAX_WAIT = 15_000;

/** A watch that reports nothing and ends sooner is not begun again at once. */
const SHORT_WATCH = 1000;

/** Seconds of a watch. Several reflectors must not begin again at the same moment. */
const MIN_WATCH_SECONDS = 300;
const MAX_WATCH_SECONDS = 600;

/**
 * After these failures, a watch can go on where it was: the server was not reached, or has not looked at the version. Any other
 * answer may be about the version, such as that of a server whose data was restored from a backup.
 */
const KEEPS_VERSION: ReadonlySet<FailureKind> = new Set([
  "not-configured",
  "config",
  "credentials",
  "unreachable",
  "certificate",
  "timeout",
  "unauthorized",
  "forbidden",
  "throttled",
]);

export class Reflector<Item extends Versioned> {
  readonly #options: ReflectorOptions<Item>;
  readonly #backoff: Backoff;
  #state: ReflectorState | undefined;
  #isSynced = false;
  /** The version to watch from; undefined if the collection has to be listed. */
  #from: string | undefined;
  #skipped = 0;
  /** A change could not be read: which object it is about is unknown, until the next list. */
  #hasMissed = false;
  /** The last failure was an answer of the server. */
  #hasAnswered = true;
  /** Ends the watch that is under way. */
  #interrupt: AbortController | undefined;
  /** What waits for a list that begins after it was asked for. */
  #refreshing: (() => void)[] = [];

  constructor(options: ReflectorOptions<Item>) {
    this.#options = options;
    this.#backoff = new Backoff({ first: FIRST_WAIT, max: MAX_WAIT, random: options.random });
  }

  /** How many objects were skipped since the start because they could not be read, each time that they came. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Lists once more, and resolves when the store has what the server has had at this moment. */
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
        if (wait > 0) await sleep(this.#options.clock, wait, signal);
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
      this.#report({ is: "failing", failure, isSynced: this.#isSynced });
      if (!KEEPS_VERSION.has(failure.kind) || this.#hasMissed) this.#from = undefined;
      return Math.max(this.#wait(failure.status !== undefined), failure.retryAfter ?? 0);
    }
  }

  /** How long to wait after a failure. A server that answers again has nothing to do with how long it was away. */
  #wait(hasAnswered: boolean): number {
    if (hasAnswered && !this.#hasAnswered) this.#backoff.reset();
    this.#hasAnswered = hasAnswered;
    return this.#backoff.next();
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { path, server, store } = this.#options;
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
      .list(path, { signal, onRestart: () => listed.clear() }, take)
      .catch((error: unknown) => {
        this.#refreshing.push(...refreshing);
        throw error;
      });
    for (let count = 0; count < result.overlong; count++) this.#skip("it is longer than an object may be");
    store.keepOnly(listed);
    const isFirst = !this.#isSynced;
    this.#isSynced = true;
    this.#hasMissed = false;
    // A watch from nowhere would report all objects, but not those that were deleted since the list.
    if (result.resourceVersion === "")
      throw new NetFailure("malformed", `the list of ${path} has no resourceVersion to watch from`, {
        help: "it is listed again and again instead; check the server of this API",
      });
    this.#from = this.#refreshing.length > 0 ? undefined : result.resourceVersion;
    for (const done of refreshing) done();
    // What was failing since the first list may be the watch: it shows whether that is over.
    if (isFirst) this.#report({ is: "synced" });
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<number> {
    const { path, server, clock, random } = this.#options;
    let openedAt: number | undefined;
    let changes = 0;
    const onOpen = (): void => {
      openedAt = clock.monotonic();
      this.#report({ is: "synced" });
    };
    const take = (event: WatchEvent): void => {
      if (this.#take(event)) changes++;
    };
    const timeoutSeconds = MIN_WATCH_SECONDS + Math.floor(random() * (MAX_WATCH_SECONDS - MIN_WATCH_SECONDS + 1));
    const hasWorked = (): boolean =>
      changes > 0 || (openedAt !== undefined && clock.monotonic() - openedAt >= SHORT_WATCH);
    const interrupt = new AbortController();
    const abort = (): void => interrupt.abort();
    signal.addEventListener("abort", abort, { once: true });
    this.#interrupt = interrupt;
    try {
      await server.watch(path, { resourceVersion, timeoutSeconds, signal: interrupt.signal, onOpen }, take);
      if (this.#hasMissed) this.#from = undefined;
    } catch (error) {
      // Interrupted for a list.
      if (interrupt.signal.aborted && !signal.aborted) return 0;
      if (!(error instanceof NetFailure && error.kind === "expired")) throw error;
      this.#from = undefined;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#interrupt = undefined;
      if (hasWorked()) this.#backoff.reset();
    }
    return hasWorked() ? 0 : this.#wait(true);
  }

  /** What has changed goes into the store; false if it is nothing. */
  #take({ type, object }: WatchEvent): boolean {
    if (type === "BOOKMARK") {
      if (this.#interrupt?.signal.aborted !== true)
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
    if (item.resourceVersion !== "" && this.#interrupt?.signal.aborted !== true) this.#from = item.resourceVersion;
    return true;
  }

  #read(text: string): Item | undefined {
    const item = this.#options.read(text);
    if (typeof item !== "string") return item;
    this.#skip(item);
    return undefined;
  }

  #skip(why: string): void {
    this.#skipped++;
    this.#options.onSkipped?.(why);
  }

  #report(state: ReflectorState): void {
    if (this.#state !== undefined && isSame(this.#state, state)) return;
    this.#state = state;
    this.#options.onState(state);
  }
}

function isSame(a: ReflectorState, b: ReflectorState): boolean {
  if (a.is !== "failing" || b.is !== "failing") return a.is === b.is;
  return a.isSynced === b.isSynced && a.failure.kind === b.failure.kind && a.failure.message === b.failure.message;
}
