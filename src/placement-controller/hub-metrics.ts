// What is measured of Placements in the reading thread? How many have which outcome, and how much is evaluated; and what is measured in every
// reading thread. No metric has a label for a single Placement or cluster.

import type { FailingKinds } from "../controller/failing-kinds.ts";
import { Metrics } from "../controller/metrics.ts";
import type { ReadingMetrics } from "../controller/reading-metrics.ts";
import { KINDS } from "../input/objects/kind-table.ts";
import { FLEET_LISTS } from "../model/cluster-objects.ts";
import type { HubMirror } from "./hub-mirror.ts";
import type { ReconciledPlacement, Reconciler } from "./reconciler.ts";
import type { WatchedList } from "./watched-kinds.ts";

/** Outcomes that always have a value, so that an alert can be about one that has not occurred. */
const OUTCOMES = ["satisfied", "unsatisfied", "kept", "emptied", "ignored", "unreadable"];

export interface HubMetricsOptions {
  readonly mirror: HubMirror;
  readonly reconciler: Reconciler;
  readonly failingKinds: FailingKinds<WatchedList>;
  /** Those of every reading thread. */
  readonly common: ReadingMetrics;
}

export class HubMetrics {
  readonly #options: HubMetricsOptions;
  readonly #metrics = new Metrics();
  readonly #placements = this.#metrics.gauge("plimsoll_placements", "Placements by outcome.", { labels: ["outcome"] });
  readonly #evaluations = this.#metrics.counter(
    "plimsoll_evaluations_total",
    "How often a cluster was evaluated for a Placement.",
  );

  constructor(options: HubMetricsOptions) {
    this.#options = options;
  }

  /** All of them, in the text format of Prometheus. */
  text(): string {
    const { mirror, reconciler, failingKinds, common } = this.#options;
    const counts = new Map(OUTCOMES.map((outcome) => [outcome, 0]));
    for (const one of reconciler.placements.values()) counts.set(outcomeOf(one), (counts.get(outcomeOf(one)) ?? 0) + 1);
    for (const [outcome, count] of counts) this.#placements.set(count, { outcome });
    this.#evaluations.raiseTo(mirror.engine.evaluations);
    const missing = new Set(mirror.unsynced);
    for (const list of FLEET_LISTS)
      common.setKind(KINDS[list].kind, {
        objects: mirror.stores[list].size,
        isSynced: !missing.has(list),
        isFailing: failingKinds.failureOf(list) !== undefined,
      });
    return this.#metrics.render() + common.text();
  }
}

function outcomeOf({ outcome, isSatisfied }: ReconciledPlacement): string {
  if (outcome !== "placed") return outcome;
  return isSatisfied ? "satisfied" : "unsatisfied";
}
