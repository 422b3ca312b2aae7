// What is measured in the writing thread? Who leads, what is written, what the process costs, and how busy both threads are.

import { type LoopDelays, watchEventLoop } from "../controller/event-loop.ts";
import { Metrics } from "../controller/metrics.ts";

export class WritingMetrics {
  readonly #metrics = new Metrics();
  readonly #delays = watchEventLoop();
  readonly #leading = this.#metrics.gauge("plimsoll_leading", "1 if this replica is the leader and may write.");
  readonly #ocmDetected = this.#metrics.gauge(
    "plimsoll_ocm_controller_detected",
    "1 while nothing is written because OCM's own controller is alive, or it cannot be found out whether it is.",
  );
  readonly #writes = this.#metrics.counter("plimsoll_writes_total", "Requests that change something.", {
    labels: ["verb", "result"],
  });
  readonly #droppedEvents = this.#metrics.counter("plimsoll_events_dropped_total", "Events that were not sent.", {
    labels: ["reason"],
  });
  readonly #delay = this.#metrics.gauge(
    "plimsoll_event_loop_delay_seconds",
    "How long the event loop of a thread was blocked, in the last one to two minutes; the quantile 1 is the worst.",
    { labels: ["thread", "quantile"] },
  );
  readonly #longestCollection = this.#metrics.gauge(
    "plimsoll_gc_pause_max_seconds",
    "The longest collection of garbage of a thread in the last one to two minutes.",
    { labels: ["thread"] },
  );
  readonly #collections = this.#metrics.counter(
    "plimsoll_gc_pause_seconds_total",
    "All collections of garbage of a thread.",
    { labels: ["thread"] },
  );
  readonly #memory = this.#metrics.gauge("process_resident_memory_bytes", "Memory of the process, all threads.");
  readonly #cpu = this.#metrics.counter(
    "process_cpu_seconds_total",
    "CPU time of the process, user and system, all threads.",
  );

  constructor(version: string) {
    this.#metrics
      .gauge("plimsoll_build_info", "1; the label is the version.", { labels: ["version"] })
      .set(1, { version });
  }

  lead(isLeading: boolean): void {
    this.#leading.set(isLeading ? 1 : 0);
  }

  detectOcm(isDetected: boolean): void {
    this.#ocmDetected.set(isDetected ? 1 : 0);
  }

  wrote(verb: string, result: string): void {
    this.#writes.add(1, { verb, result });
  }

  droppedEvent(reason: string): void {
    this.#droppedEvents.add(1, { reason });
  }

  /** All of them, in the text format of Prometheus; `ofReading` are those of the reading thread. */
  text(ofReading: { readonly text: string; readonly delays: LoopDelays }): string {
    this.#setDelays("writing", this.#delays());
    this.#setDelays("reading", ofReading.delays);
    const { user, system } = process.cpuUsage();
    this.#cpu.raiseTo((user + system) / 1e6);
    this.#memory.set(process.memoryUsage.rss());
    return this.#metrics.render() + ofReading.text;
  }

  #setDelays(thread: string, { median, p99, worst, longestCollection, collections }: LoopDelays): void {
    this.#delay.set(median, { thread, quantile: "0.5" });
    this.#delay.set(p99, { thread, quantile: "0.99" });
    this.#delay.set(worst, { thread, quantile: "1" });
    this.#longestCollection.set(longestCollection, { thread });
    this.#collections.raiseTo(collections, { thread });
  }
}
