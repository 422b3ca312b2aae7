// What is measured in every reading thread? What was read, what waits, and how long a change takes until it is written. No metric has a label
// for a single object.

import type { Clock } from "./clock.ts";
import { Metrics } from "./metrics.ts";
import type { Processed } from "./work-queue.ts";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** The results of reconciling, which always have a value, so that an alert can be about one that has not occurred. */
const RESULTS = ["done", "once-more", "again"] as const;

/** How a kind is read. */
export interface ReadKind {
  /** Objects that were read. */
  readonly objects: number;
  readonly isSynced: boolean;
  /** It could not be listed or watched for some seconds. */
  readonly isFailing: boolean;
}

export class ReadingMetrics {
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  /** When what a key stands for first changed, in monotonic milliseconds, unless it is reconciled since. */
  readonly #changedAt = new Map<string, number>();
  readonly #reconciling;
  readonly #reconciles;
  readonly #depth;
  readonly #objects;
  readonly #synced;
  readonly #failing;

  constructor(controller: string, clock: Clock) {
    const metrics = new Metrics({ controller });
    this.#clock = clock;
    this.#metrics = metrics;
    this.#reconciling = metrics.histogram(
      "plimsoll_reconcile_seconds",
      "From the first change that what is reconciled may depend on to the end of its last write.",
      { buckets: SECONDS },
    );
    this.#reconciles = metrics.counter(
      "plimsoll_reconciles_total",
      "How often something was reconciled: it is done, or it is reconciled once more at once, or again after a wait.",
      { labels: ["result"] },
    );
    // A wait that the server asks for counts as `again`.
    for (const result of RESULTS) this.#reconciles.add(0, { result });
    this.#depth = metrics.gauge("plimsoll_queue_depth", "What waits to be reconciled.");
    this.#objects = metrics.gauge("plimsoll_objects", "Objects that were read.", { labels: ["kind"] });
    this.#synced = metrics.gauge("plimsoll_kind_synced", "1 if all objects of a kind were read.", { labels: ["kind"] });
    this.#failing = metrics.gauge(
      "plimsoll_kind_failing",
      "1 if a kind could not be listed or watched for some seconds: what was read before counts.",
      { labels: ["kind"] },
    );
  }

  /** What a key stands for may have changed, and this process is going to write it. */
  changed(key: string): void {
    if (!this.#changedAt.has(key)) this.#changedAt.set(key, this.#clock.monotonic());
  }

  /** Reconciles what a key stands for, and counts the result; measures the time since it changed, once that is done. */
  async timed(key: string, reconcile: () => Promise<Processed>): Promise<Processed> {
    const changedAt = this.#changedAt.get(key);
    this.#changedAt.delete(key);
    let processed: Processed = "again"; // even if it throws
    try {
      processed = await reconcile();
      return processed;
    } finally {
      this.#reconciles.add(1, { result: typeof processed === "string" ? processed : "again" });
      if (changedAt !== undefined && processed !== "done") this.#changedAt.set(key, changedAt);
      else if (changedAt !== undefined) this.#reconciling.observe((this.#clock.monotonic() - changedAt) / 1000);
    }
  }

  setDepth(depth: number): void {
    this.#depth.set(depth);
  }

  setKind(kind: string, { objects, isSynced, isFailing }: ReadKind): void {
    this.#objects.set(objects, { kind });
    this.#synced.set(isSynced ? 1 : 0, { kind });
    this.#failing.set(isFailing ? 1 : 0, { kind });
  }

  /** All of them, in the text format of Prometheus. */
  text(): string {
    return this.#metrics.render();
  }
}
