// Answers to Placements with everything that an answer can have, for tests of how they look.

import { Timestamp } from "../../src/cel/value/timestamp.ts";
import type { Place } from "../../src/model/place.ts";
import type { Placement } from "../../src/model/placement.ts";
import { DEFAULT_MODE } from "../../src/placement/placement-mode.ts";
import type { Check, ClusterReport, PlacementResult, Verdict } from "../../src/placement/placement-result.ts";
import type { ShownPlacement, ShownPlacements } from "../../src/render/placement/shown.ts";
import { placement as anyPlacement } from "./sample-fleet.ts";

/** A line of the file of the Placements. */
export function at(line: number): Place {
  return { source: "placements.yaml", line, column: 3 };
}

/** 2026-11-03T03:12:00Z. */
export const WAKE: Timestamp = new Timestamp(1_793_675_520, 0);

/** A Placement `apps/lights`, with what is different about it. */
export function placement(more: Partial<Placement> = {}): Placement {
  return anyPlacement("lights", { place: at(1), namespace: "apps", ...more });
}

/** What a rule says of a cluster: that it holds, unless more is said. */
export function check(more: Partial<Check> = {}): Check {
  return {
    kind: "label",
    predicate: 0,
    index: 0,
    outcome: "true",
    rule: "env In (prod)",
    detail: "",
    place: at(9),
    ...more,
  };
}

/** A cluster that did not get far, unless more is said. */
export function cluster(name: string, verdict: Verdict, more: Partial<ClusterReport> = {}): ClusterReport {
  return {
    name,
    verdict,
    selected: verdict === "selected" || verdict === "kept",
    score: undefined,
    parts: [],
    rank: undefined,
    isSoftTainted: false,
    checks: [],
    reason: `it is ${verdict}`,
    decision: undefined,
    ...more,
  };
}

/** A cluster that was selected, of a rank and with a score that Balance alone gives. */
export function chosen(name: string, rank: number, score: number): ClusterReport {
  const parts = [{ name: "Balance", score, weight: 1, detail: "no other decisions" }];
  return cluster(name, "selected", { rank, score, parts, checks: [check({ detail: "prod" })] });
}

/** The answer that the reports of clusters belong to. */
export function result(clusters: readonly ClusterReport[], more: Partial<PlacementResult> = {}): PlacementResult {
  const count = (...verdicts: readonly Verdict[]): number =>
    clusters.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const selected = clusters.filter((report) => report.selected).map(({ name }) => name);
  return {
    placement: placement(),
    state: "placed",
    mistakes: [],
    brokenSets: [],
    warnings: [],
    eligibleSets: ["harbour"],
    unusableSets: [],
    selected,
    unscheduled: 0,
    tally: {
      terminating: count("terminating"),
      unmatched: count("unmatched"),
      failed: count("failed"),
      tainted: count("tainted"),
      left: count("left"),
      selected: count("selected", "kept"),
    },
    conditions: [{ type: "PlacementSatisfied", status: "True", reason: "AllDecisionsScheduled", message: "all there" }],
    groups: [{ index: 0, name: "", clusters: selected }],
    slices: [{ name: "lights-decision-1", groupIndex: 0, groupName: "", clusters: selected }],
    wakeAt: undefined,
    ...more,
  };
}

/** An answer with its clusters. */
export function placed(clusters: readonly ClusterReport[], more: Partial<PlacementResult> = {}): ShownPlacement {
  return { result: result(clusters, more), clusters };
}

/** A run with some answers. */
export function shown(placements: readonly ShownPlacement[], more: Partial<ShownPlacements> = {}): ShownPlacements {
  return {
    placements,
    mode: DEFAULT_MODE,
    now: new Timestamp(1_793_620_800, 0),
    at: ({ source, line, column }) => `${source}:${line}:${column}`,
    spot: () => undefined,
    ...more,
  };
}

const NOT_PROD = check({ outcome: "false", detail: "test" });
const TAINT = check({
  kind: "taint",
  predicate: undefined,
  rule: "fog=thick:NoSelect",
  outcome: "false",
  detail: "no toleration matches",
});

/** One cluster of every fate. */
export const FLEET: readonly ClusterReport[] = [
  chosen("bergen", 2, 80),
  cluster("dakar", "tainted", { checks: [check({ detail: "prod" }), TAINT] }),
  cluster("durban", "unmatched", { checks: [NOT_PROD] }),
  chosen("genoa", 1, 100),
  cluster("halifax", "failed", {
    checks: [
      check(),
      check({ kind: "cel", rule: "a.b > 1", outcome: "error", detail: "no such key: b", place: at(12) }),
    ],
  }),
  cluster("lagos", "unmatched", { checks: [check({ outcome: "false", detail: "dev" })] }),
  cluster("lisbon", "left", { rank: 3, score: 60, checks: [check({ detail: "prod" })] }),
  cluster("mumbai", "terminating"),
];
