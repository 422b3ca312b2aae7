// How are the answers of `place` reported to programs? As the `PlacementReport` and `PlacementExplanation` of docs/cli.md.

import type { TraceBranch } from "../../cel/trace-tree.ts";
import { addTo } from "../../model/grouped.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type {
  Check,
  ClusterReport,
  Mistake,
  PlacementCondition,
  PlacementDecisions,
  PlacementResult,
  ScorePart,
} from "../../placement/placement-result.ts";
import { traceJson } from "../cel/trace.ts";
import { inputFindingsReport } from "../finding/finding-report.ts";
import { REPORT_VERSION } from "../output-formats.ts";
import { checkText, ruleText } from "../sentence/placement-check.ts";
import { faultText } from "../sentence/placement-fault.ts";
import { clusterReasonText } from "../sentence/placement-reason.ts";
import { conditionText } from "../sentence/placement-status.ts";
import { changeReport } from "./change-report.ts";
import { changeOf, exceedsCostLimit, goneChanges, type ShownPlacement, type ShownPlacements } from "./shown.ts";

/**
 * What follows the Placements: what changed for those that are no longer there, if the answers were compared with
 * another state, and what was wrong with the input.
 */
export function restReport(shown: ShownPlacements): JsonObject {
  return {
    ...(shown.changes !== undefined && {
      gone: goneChanges(shown).map((change) => ({
        namespace: change.namespace,
        name: change.name,
        ...changeReport(change),
      })),
    }),
    ...inputFindingsReport(shown.inputFindings),
  };
}

/** The explanation of one cluster for each Placement, down to the values of sub-expressions. */
export function placementExplanation(shown: ShownPlacements, cluster: string): JsonObject {
  return {
    apiVersion: REPORT_VERSION,
    kind: "PlacementExplanation",
    cluster,
    now: shown.now.toString(),
    placements: Array.from(shown.placements, ({ result, clusters: [report] }) => ({
      namespace: result.placement.namespace,
      name: result.placement.name,
      state: result.state,
      misconfigured: misconfiguredText(result, shown),
      eligibleSets: result.eligibleSets,
      cluster: report === undefined ? null : clusterReport(report, shown),
    })),
    ...inputFindingsReport(shown.inputFindings),
  };
}

export function answerReport({ result, decisions }: ShownPlacement, shown: ShownPlacements): JsonObject {
  const { placement } = result;
  const change = changeOf(result, shown);
  return {
    namespace: placement.namespace,
    name: placement.name,
    state: result.state,
    selected: decisions.selected,
    unscheduled: result.unscheduled,
    misconfigured: misconfiguredText(result, shown),
    mistakes: result.mistakes.map((mistake) => mistakeReport(mistake, shown)),
    brokenSets: result.brokenSets.map((mistake) => mistakeReport(mistake, shown)),
    warnings: result.warnings.map((mistake) => mistakeReport(mistake, shown)),
    eligibleSets: result.eligibleSets,
    unusableSets: result.unusableSets.map(({ name, why }) => ({ name, why })),
    tally: { ...result.tally },
    decisions: decisions.slices.map(({ name, groupName, groupIndex, clusters: names }) => ({
      name,
      groupName,
      groupIndex,
      clusters: names,
    })),
    groups: groupReports(decisions),
    conditions: result.conditions.map(conditionReport),
    wakeAt: result.wakeAt ?? null,
    ...(change !== undefined && { against: changeReport(change) }),
  };
}

/** All mistakes as one text; null for a Placement that has none, or that only costs too much. */
function misconfiguredText(result: PlacementResult, { at }: ShownPlacements): string | null {
  if (result.mistakes.length === 0 || exceedsCostLimit(result)) return null;
  return result.mistakes
    .map(({ fault, place }) => {
      const { message, hint } = faultText(fault);
      return `${at(place)}: ${message}${hint === undefined ? "" : ` (${hint})`}`;
    })
    .join("; ");
}

function mistakeReport({ fault, place }: Mistake, { at }: ShownPlacements): JsonObject {
  const { message, hint } = faultText(fault);
  return { message, hint: hint ?? null, at: at(place) };
}

/** As Placement.status.decisionGroups has them. */
function groupReports({ groups, slices }: PlacementDecisions): Json {
  const names = new Map<number, string[]>();
  for (const { groupIndex, name } of slices) addTo(names, groupIndex, name);
  return groups.map(({ index, name, clusters }) => ({
    decisionGroupIndex: index,
    decisionGroupName: name,
    decisions: names.get(index) ?? [],
    clusterCount: clusters.length,
  }));
}

function conditionReport({ type, status, reason, message, observedGeneration }: PlacementCondition): JsonObject {
  return {
    type,
    status,
    reason,
    message: conditionText(message),
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
}

export function clusterReport(report: ClusterReport, shown: ShownPlacements): JsonObject {
  const { parts } = report;
  return {
    name: report.name,
    selected: report.selected,
    verdict: report.verdict,
    reason: clusterReasonText(report),
    score: report.score ?? null,
    rank: report.rank ?? null,
    // Names of add-on scores are input: one may be __proto__, which an object gets as its own key in this way only.
    scores: Object.fromEntries(scoresOf(parts)),
    weights: Object.fromEntries(weightsOf(parts)),
    lastResort: report.isSoftTainted,
    checks: report.checks.map((check) => checkReport(check, shown)),
  };
}

/** The score of each prioritizer, before its weight. */
export function scoresOf(parts: readonly ScorePart[]): ReadonlyMap<string, number> {
  return new Map(parts.map(({ name, score }) => [name, score]));
}

/** The weight of each prioritizer. One score may be configured twice: then both weights count. */
export function weightsOf(parts: readonly ScorePart[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { name, weight } of parts) weights.set(name, (weights.get(name) ?? 0) + weight);
  return weights;
}

function checkReport(check: Check, shown: ShownPlacements): JsonObject {
  const trace = check.kind === "cel" ? check.trace : undefined;
  return {
    ...ruleReport(check, shown),
    outcome: check.outcome,
    detail: checkText(check),
    ...(trace !== undefined && { trace: traceReport(trace) }),
  };
}

/** The values of all parts of an expression. Where a part failed, all around it have its error. */
export function traceReport(trace: TraceBranch): Json {
  return traceJson(withErrors(trace));
}

/** An error without a text is that of the part which failed. */
function withErrors(branch: TraceBranch): TraceBranch {
  const parts = branch.parts.map(withErrors);
  if (branch.outcome !== "error" || branch.result !== "") return { ...branch, parts };
  const failed = parts.find(({ outcome }) => outcome === "error");
  return { ...branch, parts, result: failed?.result ?? "" };
}

/** The rule of a check, which many clusters have in common. */
export function ruleReport(check: Check, { at }: ShownPlacements): JsonObject {
  const { kind, predicate = null, index, place } = check;
  return { kind, predicate, index, rule: ruleText(check), at: at(place) };
}
