// What was different before? The objects of `--against` in place of those of `-f`, and what Placements had then.

import { compareText } from "../../model/json.ts";
import { textUnder } from "../../model/labels.ts";
import type { PlacementDecision } from "../../model/placement-decision.ts";
import { PLACEMENT_LABEL } from "../../placement/decide/decided-slices.ts";
import type { FleetObjects, PlacementEngine } from "../../placement/engine.ts";
import type { Basis, PlacementAnswers } from "../../placement/placement-change.ts";
import type { PlacementResult } from "../../placement/placement-result.ts";
import { wholeReport } from "../../placement/report/cluster-report.ts";
import { placementKey } from "../../render/placement/shown.ts";
import type { PlacementName } from "./names.ts";

/** The kinds that a placement depends on. */
export const FLEET_LISTS: readonly Exclude<keyof FleetObjects, "rejected" | "lost">[] = [
  "managedClusters",
  "managedClusterSets",
  "managedClusterSetBindings",
  "placements",
  "placementDecisions",
  "addOnPlacementScores",
];

/** The world before: what `--against` has takes the place of what has the same kind, namespace and name. */
export function worldBefore(now: FleetObjects, against: FleetObjects): FleetObjects {
  return {
    managedClusters: replaced(now.managedClusters, against.managedClusters),
    managedClusterSets: replaced(now.managedClusterSets, against.managedClusterSets),
    managedClusterSetBindings: replaced(now.managedClusterSetBindings, against.managedClusterSetBindings),
    placements: replaced(now.placements, against.placements),
    placementDecisions: replaced(now.placementDecisions, against.placementDecisions),
    addOnPlacementScores: replaced(now.addOnPlacementScores, against.addOnPlacementScores),
    rejected: [...(now.rejected ?? []), ...(against.rejected ?? [])],
  };
}

/** What an object is known by. */
interface Named {
  readonly namespace?: string;
  readonly name: string;
}

function replaced<Thing extends Named>(now: readonly Thing[], against: readonly Thing[]): readonly Thing[] {
  if (against.length === 0) return now;
  const keyOf = ({ namespace = "", name }: Named): string => JSON.stringify([namespace, name]);
  const keys = new Set(against.map(keyOf));
  return [...against, ...now.filter((thing) => !keys.has(keyOf(thing)))].sort(byName);
}

function byName(a: Named, b: Named): number {
  return compareText(a.namespace ?? "", b.namespace ?? "") || compareText(a.name, b.name);
}

/** The answers of an engine. */
type EngineAnswers = Pick<PlacementEngine, "keys" | "result" | "report">;

/**
 * What the Placements of these keys had before. Where `--against` has the decisions of a Placement and not the Placement,
 * it is what these decisions say, even if there is no such Placement any more.
 */
export function answersBefore(
  engine: EngineAnswers,
  against: FleetObjects,
  keys: ReadonlySet<string>,
): PlacementAnswers {
  const given = new Set(against.placements.map(placementKey));
  const allDecided = clustersDecided(against.placementDecisions, probableOwner);
  const decided = new Map([...allDecided].filter(([key]) => keys.has(key) && !given.has(key)));
  const saysNothing = given.size + allDecided.size === 0;
  const basisOf = (key: string, { state, selected }: PlacementResult): Basis => {
    if (state !== "placed" && state !== "emptied" && selected.length === 0) return "unknown";
    return saysNothing || given.has(key) ? "given" : "assumed";
  };
  return {
    keys: () => [...new Set([...engine.keys().filter((key) => keys.has(key)), ...decided.keys()])].sort(compareText),
    result: (key) => {
      const clusters = decided.get(key);
      if (clusters !== undefined) return { placement: partsOf(key), selected: [...clusters].sort(compareText) };
      const result = engine.result(key);
      return result && { placement: result.placement, selected: result.selected, basis: basisOf(key, result) };
    },
    report: (key, cluster) => {
      const report = engine.report(key, cluster);
      const clusters = decided.get(key);
      if (report === undefined || clusters === undefined || clusters.has(cluster)) return report;
      // Whoever decided may have had other reasons.
      return { ...wholeReport(report), selected: false, reason: "it was in none of the PlacementDecisions" };
    },
  };
}

/** Namespaces have no slash in them. */
function partsOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The Placements that `-f` does not have, and that `--against` has, or has decisions of. */
export function gonePlacements(now: FleetObjects, against: FleetObjects): readonly PlacementName[] {
  const given = new Set(now.placements.map(placementKey));
  const before = new Set([
    ...against.placements.map(placementKey),
    ...clustersDecided(against.placementDecisions, probableOwner).keys(),
  ]);
  return [...before]
    .filter((key) => !given.has(key))
    .sort(compareText)
    .map(partsOf);
}

/**
 * What the Placements of these keys will have. One that is misconfigured keeps what was decided, and so does one that nobody is to touch;
 * where no decisions of it are given, that is what it had before. Of a misconfigured one, clusters that are gone go.
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
    result: (key) => {
      const result = engine.result(key);
      if (result === undefined || decided.has(key)) return result;
      const had = before.result(key)?.selected ?? [];
      switch (result.state) {
        case "kept":
          return { placement: result.placement, selected: had.filter((name) => staying.has(name)) };
        case "ignored":
          return { placement: result.placement, selected: had };
        default:
          return result;
      }
    },
  };
}

/** The clusters that decisions name, by the Placement that they belong to, as far as that is known. */
export function clustersDecided(
  decisions: readonly PlacementDecision[],
  ownerName: (decision: PlacementDecision) => string | undefined = labelledOwner,
): Map<string, Set<string>> {
  const decided = new Map<string, Set<string>>();
  for (const decision of decisions) {
    const name = ownerName(decision);
    if (name === undefined) continue;
    const key = placementKey({ namespace: decision.namespace, name });
    const clusters = decided.get(key) ?? new Set<string>();
    for (const { clusterName } of decision.decisions) clusters.add(clusterName);
    decided.set(key, clusters);
  }
  return decided;
}

function labelledOwner({ labels }: PlacementDecision): string | undefined {
  return textUnder(labels, PLACEMENT_LABEL);
}

/** Whose decision it was, by its name if it has lost its label: what it says must not be lost. */
function probableOwner(decision: PlacementDecision): string | undefined {
  return labelledOwner(decision) ?? /^(.+)-decision-[0-9]+$/.exec(decision.name)?.[1];
}

/** The sets that are bound without being given, by the namespace that they are bound to. */
export function lackingSets({ managedClusterSets, managedClusterSetBindings }: FleetObjects): Map<string, string[]> {
  const given = new Set(managedClusterSets.map(({ name }) => name));
  const lacking = new Map<string, string[]>();
  for (const { namespace, name } of managedClusterSetBindings) {
    if (given.has(name)) continue;
    const others = lacking.get(namespace);
    if (others === undefined) lacking.set(namespace, [name]);
    else others.push(name);
  }
  return lacking;
}
