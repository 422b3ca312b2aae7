// Answers to Placements with everything that an answer can have, for tests of how they look.

import { Timestamp } from "../../src/cel/value/timestamp.ts";
import type { Place } from "../../src/model/place.ts";
import type { Placement } from "../../src/model/placement.ts";
import { DEFAULT_MODE } from "../../src/placement/placement-mode.ts";
import type {
  CelCheck,
  ClusterReason,
  ClusterReport,
  ConditionMessage,
  Mistake,
  PlacementCondition,
  PlacementDecisions,
  PlacementResult,
  ScorePart,
  SetCheck,
  SpreadCheck,
  TaintCheck,
  ValueCheck,
  Verdict,
} from "../../src/placement/placement-result.ts";
import type { ShownPlacement, ShownPlacements } from "../../src/render/placement/shown.ts";
import { placement as anyPlacement } from "./sample-fleet.ts";

/** A line of the file of the Placements. */
export function at(line: number): Place {
  return { source: "placements.yaml", line, column: 3 };
}

export const WAKE = "2026-11-03T03:12:00Z";

/** A Placement `apps/lights`, with what is different about it. */
export function placement(more: Partial<Placement> = {}): Placement {
  return anyPlacement("lights", { place: at(1), namespace: "apps", ...more });
}

/** By default, a line of a selector that holds. */
export function check(more: Partial<ValueCheck> = {}): ValueCheck {
  return {
    kind: "label",
    predicate: 0,
    index: 0,
    outcome: "true",
    rule: "env In (prod)",
    key: "env",
    place: at(9),
    ...more,
  };
}

/** By default, an expression that is true. */
export function cel(rule: string, more: Partial<CelCheck> = {}): CelCheck {
  return { kind: "cel", predicate: 0, index: 0, outcome: "true", rule, place: at(9), ...more };
}

/** An expression that ended with an error. */
export function celError(rule: string, message: string, more: Partial<CelCheck> = {}): CelCheck {
  return cel(rule, { outcome: "error", detail: { kind: "error", message }, ...more });
}

/** By default, membership of a set. */
export function set(rule: string, more: Partial<SetCheck> = {}): SetCheck {
  return { kind: "set", index: 0, outcome: "true", rule, place: at(9), ...more };
}

/** By default, a taint `fog:NoSelect` that is tolerated. */
export function taint(more: Partial<TaintCheck> = {}): TaintCheck {
  const fog = { key: "fog", value: "", effect: "NoSelect" };
  return {
    kind: "taint",
    index: 0,
    outcome: "true",
    taint: fog,
    tolerance: { kind: "tolerated", by: 0 },
    place: at(9),
    ...more,
  };
}

/** Why a taint is not tolerated; by default, no toleration matches. */
export const UNTOLERATED = { kind: "untolerated", isSoft: false, ifNew: false } as const;

/** By default, a spread over regions that allows the cluster. */
export function spread(more: Partial<SpreadCheck> = {}): SpreadCheck {
  const constraint = {
    topologyKey: "region",
    topologyKeyType: "Label",
    maxSkew: 1,
    whenUnsatisfiable: "DoNotSchedule",
  };
  return { kind: "spread", index: 0, outcome: "true", constraint, place: at(9), ...more };
}

/** Something that is wrong: "maxSkew is 0, and must be at least 1". */
export const WRONG: Mistake = { fault: { kind: "max-skew", value: 0 }, place: at(3), plugin: "" };

/** The condition PlacementSatisfied. */
export function satisfied(
  reason: string,
  message: ConditionMessage,
  status: "True" | "False" = "False",
): PlacementCondition {
  return { type: "PlacementSatisfied", status, reason, message };
}

const REASONS: Readonly<Record<Verdict, ClusterReason>> = {
  outside: { kind: "outside", own: [], unbound: [], wanted: [], namespace: "apps" },
  undecided: { kind: "undecided", state: "kept" },
  terminating: { kind: "terminating" },
  unmatched: { kind: "unmatched" },
  failed: { kind: "unmatched" },
  tainted: { kind: "tainted" },
  left: { kind: "left", selected: 1, cut: { kind: "none" } },
  unread: { kind: "no-room" },
  selected: { kind: "selected", predicate: 0 },
  kept: { kind: "kept", state: "kept" },
};

/** By default, a cluster that was excluded early. */
export function cluster(name: string, verdict: Verdict, more: Partial<ClusterReport> = {}): ClusterReport {
  return {
    name,
    verdict,
    selected: verdict === "selected" || verdict === "kept",
    parts: [],
    isSoftTainted: false,
    checks: [],
    reason: REASONS[verdict],
    ...more,
  };
}

/** A part of a score that an add-on gives. */
export function part(name: string, score: number, weight = 1): ScorePart {
  return { name, score, weight, detail: { kind: "add-on" } };
}

/** A cluster that was selected, of a rank and with a score that Balance alone gives. */
export function chosen(name: string, rank: number, score: number): ClusterReport {
  const parts = [{ name: "Balance", score, weight: 1, detail: { kind: "balance", count: 0, most: 1 } }] as const;
  return cluster(name, "selected", { rank, score, parts, checks: [check({ value: "prod" })] });
}

/** The answer that the reports of clusters belong to. */
export function result(clusters: readonly ClusterReport[], more: Partial<PlacementResult> = {}): PlacementResult {
  const count = (...verdicts: readonly Verdict[]): number =>
    clusters.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    placement: placement(),
    state: "placed",
    mistakes: [],
    brokenSets: [],
    warnings: [],
    eligibleSets: ["harbour"],
    unusableSets: [],
    unscheduled: 0,
    tally: {
      terminating: count("terminating"),
      unmatched: count("unmatched"),
      failed: count("failed"),
      tainted: count("tainted"),
      left: count("left"),
      selected: count("selected", "kept"),
    },
    conditions: [satisfied("AllDecisionsScheduled", { kind: "scheduled" }, "True")],
    ...more,
  };
}

/** An answer with its clusters. */
export function placed(
  clusters: readonly ClusterReport[],
  more: Partial<PlacementResult> = {},
  lists: Partial<PlacementDecisions> = {},
): ShownPlacement {
  const selected = clusters.filter((report) => report.selected).map(({ name }) => name);
  const groups = [{ index: 0, name: "", clusters: selected }];
  const slices = [{ name: "lights-decision-1", groupIndex: 0, groupName: "", clusters: selected }];
  return { result: result(clusters, more), decisions: { selected, groups, slices, ...lists }, clusters };
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

const TAINT = taint({
  taint: { key: "fog", value: "thick", effect: "NoSelect" },
  outcome: "false",
  tolerance: UNTOLERATED,
});

/** One cluster of every fate. */
export const FLEET: readonly ClusterReport[] = [
  chosen("bergen", 2, 80),
  cluster("dakar", "tainted", { checks: [check({ value: "prod" }), TAINT] }),
  cluster("durban", "unmatched", { checks: [check({ outcome: "false", value: "test" })] }),
  chosen("genoa", 1, 100),
  cluster("halifax", "failed", { checks: [check(), celError("a.b > 1", "no such key: b", { place: at(12) })] }),
  cluster("lagos", "unmatched", { checks: [check({ outcome: "false", value: "dev" })] }),
  cluster("lisbon", "left", { rank: 3, score: 60, checks: [check({ value: "prod" })] }),
  cluster("mumbai", "terminating"),
];
