// Which Placements are reconciled, and when? A Placement that is affected by a change of the hub is urgent. One that is affected only by
// decisions written for others waits, longer each time: so Placements that follow each other's decisions converge.

import type { Clock } from "../controller/clock.ts";
import type { ReadingMetrics } from "../controller/reading-metrics.ts";
import { WorkQueue } from "../controller/work-queue.ts";
import { backoffAfter } from "../net/backoff.ts";
import type { HubMirror } from "./hub-mirror.ts";
import type { Reconciler } from "./reconciler.ts";

export interface PlacementQueueOptions {
  readonly mirror: HubMirror;
  readonly reconciler: Reconciler;
  readonly metrics: ReadingMetrics;
  readonly isLeading: () => boolean;
  /** How many Placements are reconciled at the same time. */
  readonly atOnce: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** A bug. */
  readonly onError: (key: string, error: unknown) => void;
}

/** The waits after failures, in milliseconds. */
const RETRIES = { first: 100, max: 30_000 };
/** How long a Placement waits that only decisions of others affect, in milliseconds; doubled each time that it moves because of them. */
const FIRST_MOVE = 500;
const MAX_MOVE = 10 * 60_000;

export class PlacementQueue {
  readonly #options: PlacementQueueOptions;
  readonly #queue: WorkQueue;
  /** Placements that wait, and are affected by a change of the hub. */
  readonly #urgent = new Set<string>();

  constructor(options: PlacementQueueOptions) {
    this.#options = options;
    const { metrics, atOnce, clock, random, onError } = options;
    this.#queue = new WorkQueue({
      process: async (key) => {
        const isUrgent = this.#urgent.delete(key);
        const processed = await metrics.timed(key, () => options.reconciler.reconcile(key, isUrgent));
        if (isUrgent && processed !== "done") this.#urgent.add(key);
        return processed;
      },
      atOnce,
      clock,
      backoff: (attempt) => backoffAfter(attempt, { ...RETRIES, random }),
      onDepth: (depth) => metrics.setDepth(depth),
      onError,
    });
  }

  /** A change of the hub may affect these Placements. */
  add(keys: readonly string[]): void {
    const { mirror, metrics, isLeading } = this.#options;
    if (!mirror.isSettled) return;
    for (const key of keys) {
      if (isLeading()) metrics.changed(key);
      this.#urgent.add(key);
      this.#queue.add(key);
    }
  }

  /** Something may affect all Placements. */
  addAll(): void {
    this.add([...this.#options.mirror.stores.placements.values()].map(({ key }) => key));
  }

  /** Only decisions written for others may affect these Placements. */
  addMoved(keys: readonly string[]): void {
    const { mirror, reconciler } = this.#options;
    if (!mirror.isSettled) return;
    for (const key of keys)
      if (!this.#urgent.has(key))
        this.#queue.addAfter(key, Math.min(FIRST_MOVE * 2 ** reconciler.movesOf(key), MAX_MOVE));
  }

  /** Reconciles a Placement after the given number of milliseconds. */
  addAfter(key: string, milliseconds: number): void {
    this.#queue.addAfter(key, milliseconds);
  }

  /** Forgets what waits, and waits for what is being reconciled. */
  stop(): Promise<void> {
    return this.#queue.stop();
  }
}
