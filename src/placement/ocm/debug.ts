// What would OCM's debug endpoint report about a Placement? The clusters that pass each filter, the scores of each
// prioritizer, and their sums.

import { getOrAdd } from "../../model/grouped.ts";
import { compareText, type JsonObject } from "../../model/json.ts";
import { type Place, printPath } from "../../model/place.ts";
import type { PlacementEngine } from "../engine.ts";
import type { Fault } from "../fault.ts";
import type { PlacementMode } from "../placement-mode.ts";
import { placementObject } from "../placement-object.ts";
import type { ClusterReport, Mistake, PlacementResult, Verdict } from "../placement-result.ts";

/** The sentence for a fault; render/sentence/placement-fault.ts has it. */
export type FaultMessage = (fault: Fault) => string;

/** The part of the engine that is asked. */
export type DebuggedEngine = Pick<PlacementEngine, "result" | "reports">;

/** The answer in the shape of OCM's endpoint. */
export interface DebugReport {
  /** The Placement without its status, and without metadata that comes from the API server. */
  readonly placement: JsonObject;
  readonly filteredPipelineResults: readonly FilterResult[];
  /** By name. */
  readonly prioritizeResults: readonly PrioritizeResult[];
  /** The highest first, then by name. */
  readonly aggregatedScores: readonly AggregatedScore[];
  /** Why the lists are empty; OCM does not say. */
  readonly error?: string;
}

/** The clusters that remain after some filters. */
export interface FilterResult {
  readonly name: "Predicate" | "Predicate,TaintToleration";
  readonly filteredClusters: readonly string[];
}

/** What one prioritizer gives each cluster, before the weight. */
export interface PrioritizeResult {
  readonly name: string;
  readonly weight: number;
  readonly scores: Readonly<Record<string, number>>;
}

/** The weighted sum of one cluster. */
export interface AggregatedScore {
  readonly clusterName: string;
  readonly score: number;
}

const RANKED: readonly Verdict[] = ["left", "selected"];
const MATCHED: readonly Verdict[] = [...RANKED, "tainted"];

/** The report on a Placement, by its key `namespace/name`; undefined if the Placement does not exist. */
export function debugReport(
  engine: DebuggedEngine,
  key: string,
  mode: PlacementMode,
  faultMessage: FaultMessage,
): DebugReport | undefined {
  const result = engine.result(key);
  if (result === undefined) return undefined;
  const placement = placementObject(result.placement);
  const reports = result.state === "placed" ? engine.reports(key) : [];
  const error = mode.extendedStatus ? errorOf(result, faultMessage) : undefined;
  return {
    placement,
    filteredPipelineResults: filterResults(reports, mode),
    prioritizeResults: prioritizeResults(reports),
    aggregatedScores: aggregatedScores(reports),
    ...(error !== undefined && { error }),
  };
}

/** In the order of names; what OCM says last is in the order of ranks. */
function filterResults(reports: readonly ClusterReport[], mode: PlacementMode): readonly FilterResult[] {
  const matched = reports.filter(({ verdict }) => MATCHED.includes(verdict)).sort(byName);
  const tolerated = matched.filter(({ verdict }) => RANKED.includes(verdict));
  if (!mode.extendedStatus) tolerated.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return [
    { name: "Predicate", filteredClusters: matched.map(({ name }) => name) },
    { name: "Predicate,TaintToleration", filteredClusters: tolerated.map(({ name }) => name) },
  ];
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareText(a.name, b.name);
}

/** Two configurations may name the same score: each has a result of its own, in the order of configurations. */
function prioritizeResults(reports: readonly ClusterReport[]): readonly PrioritizeResult[] {
  const found = new Map<string, { name: string; weight: number; scores: [string, number][] }>();
  for (const { name: cluster, parts } of [...reports].sort(byName)) {
    const times = new Map<string, number>();
    for (const { name, weight, score } of parts) {
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      const key = JSON.stringify([name, time]);
      getOrAdd(found, key, () => ({ name, weight, scores: [] })).scores.push([cluster, score]);
    }
  }
  return [...found.values()]
    .sort(byName)
    .map(({ name, weight, scores }) => ({ name, weight, scores: Object.fromEntries(scores) }));
}

function aggregatedScores(reports: readonly ClusterReport[]): readonly AggregatedScore[] {
  return reports
    .flatMap(({ name, score }) => (score === undefined ? [] : [{ clusterName: name, score }]))
    .sort((a, b) => b.score - a.score || compareText(a.clusterName, b.clusterName));
}

function errorOf({ state, mistakes }: PlacementResult, faultMessage: FaultMessage): string | undefined {
  if (state === "ignored")
    return "the placement is being deleted, or an annotation says that it is not to be scheduled";
  // `spec.predicates[0]…celExpressions[1], character 12: message`.
  const mistakeText = ({ fault, place }: Mistake): string =>
    [whereIs(place), faultMessage(fault)].filter((text) => text !== "").join(": ");
  return state === "placed" ? undefined : mistakes.map(mistakeText).join("; ");
}

function whereIs({ path = [], offset }: Place): string {
  return printPath(path) + (offset === undefined ? "" : `, character ${offset + 1}`);
}
