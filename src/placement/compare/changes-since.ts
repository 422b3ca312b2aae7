// Which clusters does each Placement gain and lose, compared with an earlier state? Objects of that state replace the present
// ones; PlacementDecisions of that state say what was selected.

import { FLEET_LISTS } from "../../model/cluster-objects.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { compareText } from "../../model/json.ts";
import type { PlacementDecision } from "../../model/placement-decision.ts";
import { compareNamespaced } from "../../model/problem.ts";
import { placementOf, probablePlacementOf } from "../decide/decision-index.ts";
import { type FleetObjects, PlacementEngine, type PlacingOptions } from "../engine.ts";
import { type PlacementName, placementKey, placementNameOf } from "../placement-name.ts";
import type { PlacementResult } from "../placement-result.ts";
import {
  type Basis,
  type PlacementAnswers,
  type PlacementChange,
  placementChanges,
  type RemovalLimit,
} from "./placement-change.ts";

/** Are there no objects that a placement depends on? */
export function isWithoutFleet(objects: FleetObjects): boolean {
  return FLEET_LISTS.every((list) => objects[list].length === 0);
}

/** A comparison with an earlier state. */
export interface Comparison {
  /** The objects of `--against`, which replace those of `now` with the same kind, namespace and name. */
  readonly against: FleetObjects;
  readonly now: FleetObjects;
  /** The keys of the Placements to compare. */
  readonly keys: ReadonlySet<string>;
  /** How many clusters a Placement may lose. */
  readonly limit?: RemovalLimit | undefined;
}

/** What changed since the earlier state; `engine` has the present one. */
export function changesSince(
  { against, now, keys, limit }: Comparison,
  engine: PlacementEngine,
  options: PlacingOptions,
): readonly PlacementChange[] {
  const before = answersBefore(new PlacementEngine(objectsBefore(now, against), options), against, keys);
  return placementChanges(before, answersAfter(engine, before, now, keys), limit);
}

/** The objects of the earlier state: those of `against` replace those of the same kind, namespace and name. */
export function objectsBefore(now: FleetObjects, against: FleetObjects): FleetObjects {
  const lists = FLEET_LISTS.map((list) => [list, replaced<Named>(now[list], against[list])]);
  return { ...Object.fromEntries(lists), rejected: [...(now.rejected ?? []), ...(against.rejected ?? [])] };
}

/** What identifies an object of a kind. */
type Named = Parameters<typeof compareNamespaced>[0];

function replaced<Thing extends Named>(now: readonly Thing[], against: readonly Thing[]): readonly Thing[] {
  if (against.length === 0) return now;
  const keyOf = ({ namespace = "", name }: Named): string => JSON.stringify([namespace, name]);
  const keys = new Set(against.map(keyOf));
  return [...against, ...now.filter((thing) => !keys.has(keyOf(thing)))].sort(compareNamespaced);
}

/** The answers of an engine. */
type EngineAnswers = Pick<PlacementEngine, "keys" | "result" | "decisions" | "report">;

/**
 * What the Placements of these keys selected before. If `against` has the decisions of a Placement but not the Placement, these
 * decisions count, even if the Placement no longer exists.
 */
export function answersBefore(
  engine: EngineAnswers,
  against: FleetObjects,
  keys: ReadonlySet<string>,
): PlacementAnswers {
  const given = new Set(against.placements.map(placementKey));
  const allDecided = clustersDecided(against.placementDecisions, probablePlacementOf);
  const decided = new Map([...allDecided].filter(([key]) => keys.has(key) && !given.has(key)));
  const saysNothing = given.size + allDecided.size === 0;
  const basisOf = (key: string, { state, tally }: PlacementResult): Basis => {
    if (state !== "placed" && state !== "emptied" && tally.selected === 0) return "unknown";
    return saysNothing || given.has(key) ? "given" : "assumed";
  };
  return {
    keys: () => [...new Set([...engine.keys().filter((key) => keys.has(key)), ...decided.keys()])].sort(compareText),
    result: (key) => {
      if (decided.has(key)) return { placement: placementNameOf(key) };
      const result = engine.result(key);
      return result && { placement: result.placement, basis: basisOf(key, result) };
    },
    decisions: (key) => {
      const clusters = decided.get(key);
      return clusters === undefined ? engine.decisions(key) : { selected: [...clusters].sort(compareText) };
    },
    report: (key, cluster) => {
      const report = engine.report(key, cluster);
      const clusters = decided.get(key);
      if (report === undefined || clusters === undefined || clusters.has(cluster)) return report;
      // The decisions may have been made for other reasons than the report says.
      return { ...report, selected: false, reason: { kind: "not-decided" } };
    },
  };
}

/** The Placements that no longer exist: `against` has them, or decisions of them. */
export function gonePlacements(now: FleetObjects, against: FleetObjects): readonly PlacementName[] {
  const given = new Set(now.placements.map(placementKey));
  const before = new Set([
    ...against.placements.map(placementKey),
    ...clustersDecided(against.placementDecisions, probablePlacementOf).keys(),
  ]);
  return [...before]
    .filter((key) => !given.has(key))
    .sort(compareText)
    .map(placementNameOf);
}

/**
 * What the Placements of these keys select now. A misconfigured Placement, and one whose scheduling is disabled, keeps its
 * decisions; if these are not given, what it selected before. A misconfigured one loses the clusters that no longer exist.
 */
export function answersAfter(
  engine: EngineAnswers,
  before: PlacementAnswers,
  now: FleetObjects,
  keys: ReadonlySet<string>,
): PlacementAnswers {
  const decided = clustersDecided(now.placementDecisions);
  const staying = new Set(now.managedClusters.filter(({ terminating }) => !terminating).map(({ name }) => name));
  return {
    keys: () => engine.keys().filter((key) => keys.has(key)),
    report: (key, cluster) => engine.report(key, cluster),
    result: (key) => engine.result(key),
    decisions: (key) => {
      const state = engine.result(key)?.state;
      if (decided.has(key) || (state !== "kept" && state !== "ignored")) return engine.decisions(key);
      const had = before.decisions(key)?.selected ?? [];
      return { selected: state === "kept" ? had.filter((name) => staying.has(name)) : had };
    },
  };
}

/** The clusters of decisions, by the key of their Placement, as far as that is known. */
export function clustersDecided(
  decisions: readonly PlacementDecision[],
  ownerName: (decision: PlacementDecision) => string | undefined = placementOf,
): Map<string, Set<string>> {
  const decided = new Map<string, Set<string>>();
  for (const decision of decisions) {
    const name = ownerName(decision);
    if (name === undefined) continue;
    const key = placementKey({ namespace: decision.namespace, name });
    const clusters = getOrAdd(decided, key, () => new Set());
    for (const { clusterName } of decision.decisions) clusters.add(clusterName);
  }
  return decided;
}
