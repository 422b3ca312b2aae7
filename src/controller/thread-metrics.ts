// How busy are threads? The same metrics for the main thread and for those of each controller.

import type { LoopDelays } from "./event-loop.ts";
import type { Counter, Gauge, Metrics } from "./metrics.ts";

export class ThreadMetrics {
  readonly #delay: Gauge<"thread" | "quantile">;
  readonly #longestCollection: Gauge<"thread">;
  readonly #collections: Counter<"thread">;

  constructor(metrics: Metrics) {
    this.#delay = metrics.gauge(
      "plimsoll_event_loop_delay_seconds",
      "How long the event loop of a thread was blocked, in the last one to two minutes; the quantile 1 is the worst.",
      { labels: ["thread", "quantile"] },
    );
    this.#longestCollection = metrics.gauge(
      "plimsoll_gc_pause_max_seconds",
      "The longest collection of garbage of a thread in the last one to two minutes.",
      { labels: ["thread"] },
    );
    this.#collections = metrics.counter("plimsoll_gc_pause_seconds_total", "All collections of garbage of a thread.", {
      labels: ["thread"],
    });
  }

  /** Takes what a thread has measured of itself. */
  set(thread: string, { median, p99, worst, longestCollection, collections }: LoopDelays): void {
    this.#delay.set(median, { thread, quantile: "0.5" });
    this.#delay.set(p99, { thread, quantile: "0.99" });
    this.#delay.set(worst, { thread, quantile: "1" });
    this.#longestCollection.set(longestCollection, { thread });
    this.#collections.raiseTo(collections, { thread });
  }
}
