// What is measured in the reading thread of the resolution controller? What is advised, how long answers take, and how catalogs are.

import { Metrics } from "../controller/metrics.ts";
import type { AdvisedStatus } from "../render/advice/advised-status.ts";
import type { CatalogNews, CatalogState } from "./threads.ts";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Values of labels that always exist, so that an alert can be about one that has not occurred. */
const OUTCOMES = ["Resolved", "Partial", "Unsatisfiable", "Undecided"] as const;
const OFF = "Off";
const RESULTS = ["answered", "unchanged", "failed"] as const;
const READS = ["changed", "unchanged", "failed", "not-asked"] as const;

/** What is measured when the metrics are asked for. */
export interface MeasuredState {
  readonly advised: Iterable<AdvisedStatus>;
  /** Namespaces that are not resolved. */
  readonly off: number;
  readonly catalogs: readonly CatalogState[];
  readonly areConstraintsValid: boolean;
  readonly engines: number;
}

export class ResolutionMetrics {
  readonly #metrics: Metrics = new Metrics();
  readonly #outcomes = this.#metrics.gauge("plimsoll_resolutions", "Namespaces by outcome, as last advised.", {
    labels: ["outcome"],
  });
  readonly #unsatisfied = this.#metrics.gauge(
    "plimsoll_subscriptions_unsatisfied",
    "Subscriptions without an operator that can be installed.",
  );
  readonly #heldBack = this.#metrics.gauge(
    "plimsoll_operators_held_back",
    "Operators that cannot get the version they should have.",
  );
  readonly #pending = this.#metrics.gauge("plimsoll_changes_pending_approval", "Changes that wait for approval.");
  readonly #updates = this.#metrics.gauge("plimsoll_updates_advised", "Operators to be installed or updated.");
  readonly #answers = this.#metrics.counter(
    "plimsoll_resolves_total",
    "How often an engine was asked about a namespace: it resolved, nothing that matters had changed, or it failed.",
    { labels: ["result"] },
  );
  readonly #seconds = this.#metrics.histogram("plimsoll_resolve_seconds", "How long an answer took.", {
    buckets: SECONDS,
  });
  readonly #engines = this.#metrics.gauge("plimsoll_engine_workers", "Engine workers that run.");
  readonly #restarts = this.#metrics.counter("plimsoll_engine_restarts_total", "Engine workers that were replaced.");
  readonly #ready = this.#metrics.gauge("plimsoll_catalog_ready", "1 if the present content of a catalog is known.", {
    labels: ["namespace", "name"],
  });
  readonly #bundles = this.#metrics.gauge("plimsoll_catalog_bundles", "Bundles of a catalog, as last read.", {
    labels: ["namespace", "name"],
  });
  readonly #reads = this.#metrics.counter("plimsoll_catalog_reads_total", "How often a catalog was read.", {
    labels: ["result"],
  });
  readonly #constraints = this.#metrics.gauge(
    "plimsoll_constraints_valid",
    "1 if the runtime constraints are valid, or there are none; 0: nothing is newly installed or updated.",
  );

  constructor() {
    this.#restarts.add(0);
    for (const result of RESULTS) this.#answers.add(0, { result });
    for (const result of READS) this.#reads.add(0, { result });
  }

  answered(result: (typeof RESULTS)[number], took: number | undefined): void {
    this.#answers.add(1, { result });
    if (took !== undefined) this.#seconds.observe(took / 1000);
  }

  replacedEngine(): void {
    this.#restarts.add(1);
  }

  read({ is: result }: CatalogNews): void {
    this.#reads.add(1, { result });
  }

  /** All of them, in the text format of Prometheus. */
  text({ advised, off, catalogs, areConstraintsValid, engines }: MeasuredState): string {
    const statuses = [...advised];
    for (const outcome of OUTCOMES)
      this.#outcomes.set(statuses.filter((status) => status.outcome === outcome).length, { outcome });
    this.#outcomes.set(off, { outcome: OFF });
    const sum = (of: (status: AdvisedStatus) => number): number =>
      statuses.reduce((total, status) => total + of(status), 0);
    this.#unsatisfied.set(sum(({ counts }) => counts.unsatisfied));
    this.#heldBack.set(sum(({ counts }) => counts.heldBack));
    this.#pending.set(sum(({ counts }) => counts.pendingApproval));
    this.#updates.set(sum(({ counts }) => counts.updates));
    this.#ready.clear();
    this.#bundles.clear();
    for (const { namespace = "", name, content, why } of catalogs) {
      this.#ready.set(content !== undefined && why === undefined ? 1 : 0, { namespace, name });
      this.#bundles.set(content?.bundles ?? 0, { namespace, name });
    }
    this.#constraints.set(areConstraintsValid ? 1 : 0);
    this.#engines.set(engines);
    return this.#metrics.render();
  }
}
