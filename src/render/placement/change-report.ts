// How is the effect of an edit reported to programs?

import type { JsonObject } from "../../model/json.ts";
import type { MovedCluster, PlacementChange } from "../../placement/compare/placement-change.ts";
import type { ClusterReport } from "../../placement/placement-result.ts";
import { clusterReasonText } from "../sentence/placement-reason.ts";

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

/** The earlier report on a gained cluster; or why there is none. The given decisions may differ from it. */
export function reportBefore({ report }: MovedCluster, { isNew }: PlacementChange): ClusterReport | string {
  if (isNew) return "the Placement is new";
  if (report === undefined) return "the cluster is new";
  return report.selected ? "it was not decided yet" : report;
}

/** The report on a cluster that is lost; or why there is none. */
export function reportAfter({ report }: MovedCluster, { isGone }: PlacementChange): ClusterReport | string {
  if (isGone) return "the Placement is gone";
  return report ?? "the cluster is gone";
}

function reasonText(report: ClusterReport | string): string {
  return typeof report === "string" ? report : clusterReasonText(report);
}
