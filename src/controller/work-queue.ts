// Which keys have to be processed, and when? Each key once however often it is added, by one worker at a time, and with its own
// backoff after a failure. As client-go's rate-limited work queue, with the workers included.

import type { Clock } from "./clock.ts";

/**
 * What became of a key: `done`; `once-more`, at once: it succeeded, and the result has consequences; `again` after this key's
 * backoff; or the same, but not before so many milliseconds have passed, because the server says so.
 */
export type Processed = "done" | "once-more" | "again" | { readonly notBefore: number };

export interface WorkQueueOptions {
  /**
   * Brings whatever the key stands for into its wanted state. It reads the current state itself: a key says that something has
   * changed, not what. An error is treated like `again`.
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
 * A key is in at most one of three places: ready, under way, or delayed; only a key under way can be in a second one at the same
 * time, because it was added while it was processed.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** In the order in which they were added. */
  readonly #ready = new Set<string>();
  readonly #delayed = new Map<string, Delay>();
  /** Each with the end of its processing. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Added while they are under way: they are ready as soon as that has ended. */
  readonly #addedMeanwhile = new Set<string>();
  /** Failures in a row. */
  readonly #attempts = new Map<string, number>();
  #isStopped = false;
  #isDispatching = false;
  #reportedDepth = 0;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Keys that wait for a worker. Those that wait for their time, or for the end of their own processing, do not count. */
  get depth(): number {
    return this.#ready.size;
  }

  /**
   * The key has to be processed. A delay that it has is over: every processing works on the whole state, and says anew when the
   * next one is needed.
   */
  add(key: string): void {
    if (this.#isStopped) return;
    this.#endDelay(key);
    if (this.#underWay.has(key)) {
      this.#addedMeanwhile.add(key);
      return;
    }
    this.#ready.add(key);
    this.#dispatchSoon();
  }

  /** The key has to be processed after so many milliseconds. If it also is for another reason, the earlier time counts. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#isStopped || this.#ready.has(key) || this.#addedMeanwhile.has(key)) return;
    const { clock } = this.#options;
    const due = clock.monotonic() + Math.max(0, milliseconds);
    const before = this.#delayed.get(key);
    if (before !== undefined && before.due <= due) return;
    before?.cancel();
    this.#delayed.set(key, { due, cancel: clock.after(milliseconds, () => this.add(key)) });
  }

  /** Forgets all keys, and waits for those that are under way. A queue that was stopped accepts nothing. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const key of [...this.#delayed.keys()]) this.#endDelay(key);
    this.#ready.clear();
    this.#addedMeanwhile.clear();
    this.#attempts.clear();
    this.#reportDepth();
    await Promise.all(this.#underWay.values());
  }

  /**
   * Not at once: what adds a key goes on first, and adds others, before anything is processed. One key in a turn of the event loop: what
   * `process` computes before it first waits blocks the loop.
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
    // It is under way before `process` runs, which may add the key itself.
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
    const wait = this.#options.backoff(attempt);
    this.addAfter(key, processed === "again" ? wait : Math.max(wait, processed.notBefore));
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
