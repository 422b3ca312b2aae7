// What is measured in the reading thread? How many Placements have which outcome, how long a change takes until it is written, and what
// was read. No metric has a label for a single Placement or cluster.

import type { Clock } from "../controller/clock.ts";
import { Metrics } from "../controller/metrics.ts";
import type { Processed } from "../controller/work-queue.ts";
import { KINDS } from "../input/objects/kind-table.ts";
import { FLEET_LISTS } from "../model/cluster-objects.ts";
import type { FailingKinds } from "./failing-kinds.ts";
import type { HubMirror } from "./hub-mirror.ts";
import type { ReconciledPlacement, Reconciler } from "./reconciler.ts";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Outcomes that always have a value, so that an alert can be about one that has not occurred. */
const OUTCOMES = ["satisfied", "unsatisfied", "kept", "emptied", "ignored", "unreadable"];
/** The results of reconciling a Placement, likewise. A wait that the server asks for counts as `again`. */
const RESULTS = ["done", "once-more", "again"] as const;

export interface HubMetricsOptions {
  readonly mirror: HubMirror;
  readonly reconciler: Reconciler;
  readonly failingKinds: FailingKinds;
  readonly clock: Clock;
}

export class HubMetrics {
  readonly #metrics = new Metrics();
  readonly #clock: Clock;
  readonly #read: () => void;
  /** When a Placement that is not reconciled yet first changed, in monotonic milliseconds. */
  readonly #changedAt = new Map<string, number>();
  readonly #reconciling = this.#metrics.histogram(
    "plimsoll_reconcile_seconds",
    "From the first change that a Placement may depend on to the end of its last write.",
    { buckets: SECONDS },
  );
  readonly #reconciles = this.#metrics.counter(
    "plimsoll_reconciles_total",
    "How often a Placement was reconciled: it is done, or it is reconciled once more at once, or again after a wait.",
    { labels: ["result"] },
  );
  readonly #depth = this.#metrics.gauge("plimsoll_queue_depth", "Placements that wait to be reconciled.");

  constructor({ mirror, reconciler, failingKinds, clock }: HubMetricsOptions) {
    this.#clock = clock;
    const metrics = this.#metrics;
    const placements = metrics.gauge("plimsoll_placements", "Placements by outcome.", { labels: ["outcome"] });
    const evaluations = metrics.counter(
      "plimsoll_evaluations_total",
      "How often a cluster was evaluated for a Placement.",
    );
    const objects = metrics.gauge("plimsoll_objects", "Objects that were read.", { labels: ["kind"] });
    const synced = metrics.gauge("plimsoll_kind_synced", "1 if all objects of a kind were read.", { labels: ["kind"] });
    for (const result of RESULTS) this.#reconciles.add(0, { result });
    const failing = metrics.gauge(
      "plimsoll_kind_failing",
      "1 if a kind could not be listed or watched for some seconds: what was read before counts.",
      { labels: ["kind"] },
    );
    let evaluated = 0;
    this.#read = () => {
      const counts = new Map(OUTCOMES.map((outcome) => [outcome, 0]));
      for (const one of reconciler.placements.values())
        counts.set(outcomeOf(one), (counts.get(outcomeOf(one)) ?? 0) + 1);
      for (const [outcome, count] of counts) placements.set(count, { outcome });
      evaluations.add(mirror.engine.evaluations - evaluated);
      evaluated = mirror.engine.evaluations;
      const missing = new Set(mirror.unsynced);
      for (const list of FLEET_LISTS) {
        const { kind } = KINDS[list];
        objects.set(mirror.stores[list].size, { kind });
        synced.set(missing.has(list) ? 0 : 1, { kind });
        failing.set(failingKinds.failureOf(list) === undefined ? 0 : 1, { kind });
      }
    };
  }

  /** A Placement may have changed, and this process is going to write it. */
  changed(key: string): void {
    if (!this.#changedAt.has(key)) this.#changedAt.set(key, this.#clock.monotonic());
  }

  /** Reconciles a Placement, and counts the result; measures the time since it changed, once that is done. */
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

  /** All of them, in the text format of Prometheus. */
  text(): string {
    this.#read();
    return this.#metrics.render();
  }
}

function outcomeOf({ outcome, isSatisfied }: ReconciledPlacement): string {
  if (outcome !== "placed") return outcome;
  return isSatisfied ? "satisfied" : "unsatisfied";
}
