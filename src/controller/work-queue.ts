// Which keys have to be processed, and when? Each key once however often it is added, by one worker at a time, and with its own
// backoff after a failure: client-go's rate-limited work queue, with the workers included.

import type { Clock } from "./clock.ts";

/**
 * The result of processing a key: `done`; `once-more`: it succeeded, and has to be processed again at once; `again`: after the backoff of
 * this key, which ends early when the key is added; `notBefore`: the same, but not before this many milliseconds have passed, even if the
 * key is added: the server asked for it, or nothing can have changed before.
 */
export type Processed = "done" | "once-more" | "again" | { readonly notBefore: number };

export interface WorkQueueOptions {
  /**
   * Brings the object of a key into its wanted state. It reads the current state itself: a key says that something has changed, not what.
   * An error is treated like `again`.
   */
  readonly process: (key: string) => Promise<Processed>;
  /** How many keys are processed at the same time. */
  readonly atOnce: number;
  readonly clock: Clock;
  /** Milliseconds before the next attempt. The argument is 1 after the first failure of a key, 2 after the second in a row, ... */
  readonly backoff: (attempt: number) => number;
  readonly onDepth?: (depth: number) => void;
  readonly onError?: (key: string, error: unknown) => void;
}

interface Delay {
  readonly due: number;
  readonly cancel: () => void;
}

/**
 * A key is in at most one of three places: ready, being processed, or delayed; only a key that is being processed can be in a second one,
 * because it was added meanwhile.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** In the order in which they were added. */
  readonly #ready = new Set<string>();
  readonly #delayed = new Map<string, Delay>();
  /** Each with the end of its processing. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Added while they are processed: they become ready when that ends. */
  readonly #addedMeanwhile = new Set<string>();
  /** Until when there must be no further attempt. Each of these keys is delayed, until then or longer. */
  readonly #notBefore = new Map<string, number>();
  /** Failures in a row. */
  readonly #attempts = new Map<string, number>();
  #isStopped = false;
  #isDispatching = false;
  #reportedDepth = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** How many keys wait for a worker. Delayed keys, and those added while they are processed, do not count. */
  get depth(): number {
    return this.#ready.size;
  }

  /**
   * The key has to be processed. Cancels its delay, unless that is a `notBefore`: processing works on the whole state, and says again
   * when the next attempt is due.
   */
  add(key: string): void {
    if (this.#isStopped) return;
    if (this.#underWay.has(key)) {
      this.#endDelay(key);
      this.#addedMeanwhile.add(key);
      return;
    }
    const notBefore = this.#notBefore.get(key) ?? 0;
    if (notBefore > this.#options.clock.monotonic()) {
      this.#delay(key, notBefore);
      return;
    }
    this.#notBefore.delete(key);
    this.#endDelay(key);
    this.#ready.add(key);
    this.#dispatchSoon();
  }

  /** The key has to be processed after the given number of milliseconds. If it is already delayed, the earlier time counts. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#isStopped || this.#ready.has(key) || this.#addedMeanwhile.has(key)) return;
    const due = this.#options.clock.monotonic() + Math.max(0, milliseconds);
    this.#delay(key, Math.max(due, this.#notBefore.get(key) ?? 0));
  }

  /** Forgets all keys, and waits for those that are being processed. A stopped queue accepts nothing. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const key of [...this.#delayed.keys()]) this.#endDelay(key);
    this.#ready.clear();
    this.#addedMeanwhile.clear();
    this.#notBefore.clear();
    this.#attempts.clear();
    this.#reportDepth();
    await Promise.all(this.#underWay.values());
  }

  /**
   * In a later turn of the event loop: the caller of `add` usually adds more keys. One key per turn: what `process` computes before its first
   * await blocks the loop.
   */
  #dispatchSoon(): void {
    this.#reportDepth();
    if (this.#isDispatching || this.#ready.size === 0 || this.#underWay.size >= this.#options.atOnce) return;
    this.#isDispatching = true;
    setImmediate(() => {
      this.#isDispatching = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    const [key] = this.#ready;
    if (key === undefined || this.#underWay.size >= this.#options.atOnce) return;
    this.#ready.delete(key);
    // Registered before `process` runs: it may add the key itself.
    this.#underWay.set(
      key,
      Promise.resolve().then(() => this.#work(key)),
    );
    this.#dispatchSoon();
  }

  async #work(key: string): Promise<void> {
    const processed = await this.#processed(key);
    this.#underWay.delete(key);
    if (this.#isStopped) return;
    this.#requeue(key, processed);
    if (this.#addedMeanwhile.delete(key)) this.add(key);
    this.#dispatchSoon();
  }

  async #processed(key: string): Promise<Processed> {
    try {
      return await this.#options.process(key);
    } catch (error) {
      this.#options.onError?.(key, error);
      return "again";
    }
  }

  #requeue(key: string, processed: Processed): void {
    if (processed === "done" || processed === "once-more") {
      this.#attempts.delete(key);
      if (processed === "once-more") this.add(key);
      return;
    }
    const attempt = (this.#attempts.get(key) ?? 0) + 1;
    this.#attempts.set(key, attempt);
    if (processed !== "again") this.#notBefore.set(key, this.#options.clock.monotonic() + processed.notBefore);
    this.addAfter(key, this.#options.backoff(attempt));
  }

  /** Delays a key until a moment; if it is already delayed, until the earlier of the two. */
  #delay(key: string, due: number): void {
    const before = this.#delayed.get(key);
    if (before !== undefined && before.due <= due) return;
    before?.cancel();
    const { clock } = this.#options;
    const cancel = clock.after(due - clock.monotonic(), () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { due, cancel });
  }

  #endDelay(key: string): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
  }

  #reportDepth(): void {
    if (this.depth === this.#reportedDepth) return;
    this.#reportedDepth = this.depth;
    this.#options.onDepth?.(this.depth);
  }
}
