// What is measured of a controller in the main thread? Whether it leads, what it writes; and how busy its reading thread is.

import type { ReadingMeasures } from "./controller-threads.ts";
import { Metrics } from "./metrics.ts";
import { ThreadMetrics } from "./thread-metrics.ts";

export class LeadingMetrics {
  readonly #metrics: Metrics;
  readonly #leading;
  readonly #writes;
  readonly #droppedEvents;
  readonly #threads: ThreadMetrics;

  constructor(controller: string) {
    const metrics = new Metrics({ controller });
    this.#metrics = metrics;
    this.#leading = metrics.gauge("plimsoll_leading", "1 if this replica is the leader and may write.");
    this.#writes = metrics.counter("plimsoll_writes_total", "Requests that change something.", {
      labels: ["verb", "result"],
    });
    this.#droppedEvents = metrics.counter("plimsoll_events_dropped_total", "Events that were not sent.", {
      labels: ["reason"],
    });
    this.#threads = new ThreadMetrics(metrics);
  }

  lead(isLeading: boolean): void {
    this.#leading.set(isLeading ? 1 : 0);
  }

  wrote(verb: string, result: string): void {
    this.#writes.add(1, { verb, result });
  }

  droppedEvent(reason: string): void {
    this.#droppedEvents.add(1, { reason });
  }

  /** All of them, in the text format of Prometheus, with those of the reading thread. */
  text({ text, delays }: ReadingMeasures): string {
    this.#threads.set("reading", delays);
    return this.#metrics.render() + text;
  }
}
