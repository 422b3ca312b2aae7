// What is measured in the writing thread? Who leads, what is written, and how busy both threads are.

import { type LoopDelays, watchEventLoop } from "../controller/event-loop.ts";
import { Metrics } from "../controller/metrics.ts";

export class WritingMetrics {
  readonly #metrics = new Metrics();
  readonly #delays = watchEventLoop();
  readonly #leading = this.#metrics.gauge("plimsoll_leading", "1 if this process writes.");
  readonly #writes = this.#metrics.counter("plimsoll_writes_total", "Requests that change something.", {
    labels: ["verb", "result"],
  });
  readonly #droppedEvents = this.#metrics.counter("plimsoll_events_dropped_total", "Events that were not sent.", {
    labels: ["reason"],
  });
  readonly #delay = this.#metrics.gauge(
    "plimsoll_event_loop_delay_seconds",
    "How long the event loop of a thread was blocked, since the start; the quantile 1 is the worst.",
    { labels: ["thread", "quantile"] },
  );
  readonly #collections = this.#metrics.gauge(
    "plimsoll_garbage_collection_seconds",
    "Collections of garbage of a thread since the start: the longest, and all together.",
    { labels: ["thread", "of"] },
  );

  lead(isLeading: boolean): void {
    this.#leading.set(isLeading ? 1 : 0);
  }

  wrote(verb: string, result: string): void {
    this.#writes.add(1, { verb, result });
  }

  droppedEvent(reason: string): void {
    this.#droppedEvents.add(1, { reason });
  }

  /** All of them, in the text format of Prometheus; `ofHub` are those of the reading thread. */
  text(ofHub: { readonly text: string; readonly delays: LoopDelays }): string {
    this.#setDelays("writing", this.#delays());
    this.#setDelays("reading", ofHub.delays);
    return this.#metrics.render() + ofHub.text;
  }

  #setDelays(thread: string, { median, p99, worst, longestCollection, collections }: LoopDelays): void {
    this.#delay.set(median, { thread, quantile: "0.5" });
    this.#delay.set(p99, { thread, quantile: "0.99" });
    this.#delay.set(worst, { thread, quantile: "1" });
    this.#collections.set(longestCollection, { thread, of: "longest" });
    this.#collections.set(collections, { thread, of: "all" });
  }
}
