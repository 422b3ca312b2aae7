// Where are reviews made? In a thread of its own: what was sent may be made to take long, and must hold up neither the Lease nor the probes. A
// thread that takes too long, or fails, is replaced.

import { Worker } from "node:worker_threads";
import type { Clock } from "../controller/clock.ts";
import { ThreadLink } from "../controller/thread-link.ts";
import type { Reviewed, ReviewSetting } from "./review.ts";

/** What the thread offers. */
export type ReviewFunctions = Readonly<{ review: (body: Uint8Array) => Reviewed }>;

export interface ReviewThreadOptions {
  readonly setting: ReviewSetting;
  readonly clock: Clock;
  /** Milliseconds for one review, also while it waits for others. */
  readonly limit: number;
  /** The file of the thread. */
  readonly entry: URL;
  /** The thread was replaced. */
  readonly onFailure: (error: Error) => void;
}

interface Running {
  readonly worker: Worker;
  readonly link: ThreadLink<ReviewFunctions>;
}

const MAX_MEGABYTES = 256;

export class ReviewThread {
  readonly #options: ReviewThreadOptions;
  #running: Running | undefined;
  #isClosed = false;

  constructor(options: ReviewThreadOptions) {
    this.#options = options;
    this.#running = this.#start();
  }

  /** Rejects if the thread fails or takes too long. */
  async review(body: Uint8Array): Promise<Reviewed> {
    if (this.#isClosed) throw new Error("no review is made any more");
    const { clock, limit } = this.#options;
    this.#running ??= this.#start();
    const running = this.#running;
    const cancel = clock.after(limit, () => this.#drop(running, new Error(`a review takes longer than ${limit} ms`)));
    try {
      return await running.link.call("review", body);
    } finally {
      cancel();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = this.#running;
    this.#running = undefined;
    running?.link.close(new Error("no review is made any more"));
    await running?.worker.terminate();
  }

  #start(): Running {
    const { entry, setting } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: MAX_MEGABYTES };
    // Do not pass on this process's Node flags, such as --import.
    const worker = new Worker(entry, { workerData: setting, execArgv: [], resourceLimits });
    const running = { worker, link: new ThreadLink<ReviewFunctions>(worker, {}) };
    worker.once("error", (error) => this.#drop(running, error));
    worker.once("exit", (code) => this.#drop(running, new Error(`the thread of reviews ended with ${code}`)));
    return running;
  }

  #drop(running: Running, reason: Error): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    running.link.close(reason);
    void running.worker.terminate();
    this.#options.onFailure(reason);
  }
}
