// How does a program learn what an edit would change?

import type { JsonObject } from "../../model/json.ts";
import type { MovedCluster, PlacementChange } from "../../placement/placement-change.ts";
import type { ClusterReport } from "../../placement/placement-result.ts";

/** The clusters that a Placement would gain and lose, each with its reason. */
export function changeReport(change: PlacementChange): JsonObject {
  const { isNew, isGone, basis, before, after, kept, gained, lost, exceeded } = change;
  return {
    isNew,
    isGone,
    basis,
    before,
    after,
    kept,
    gained: gained.map((moved) => ({ name: moved.name, reason: reasonText(reportBefore(moved, change)) })),
    lost: lost.map((moved) => ({ name: moved.name, reason: reasonText(reportAfter(moved, change)) })),
    exceeded: exceeded?.text ?? null,
  };
}

/** What was said of a cluster that is gained; or why nothing was, which the decisions that were given may say. */
export function reportBefore({ before }: MovedCluster, { isNew }: PlacementChange): ClusterReport | string {
  if (isNew) return "the Placement is new";
  if (before === undefined) return "the cluster is new";
  return before.selected ? "it was not decided yet" : before;
}

/** What is said of a cluster that is lost; or why nothing is. */
export function reportAfter({ after }: MovedCluster, { isGone }: PlacementChange): ClusterReport | string {
  if (isGone) return "the Placement is gone";
  return after ?? "the cluster is gone";
}

function reasonText(report: ClusterReport | string): string {
  return typeof report === "string" ? report : report.reason;
}
