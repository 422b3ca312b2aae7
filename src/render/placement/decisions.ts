// How do other tools learn which clusters were chosen? From PlacementDecisions, as OCM's controller writes them.

import type { JsonObject } from "../../model/json.ts";
import { sliceLabels } from "../../placement/decide/decided-slices.ts";
import type { ClusterReport, Slice } from "../../placement/placement-result.ts";
import { printYaml } from "../kit/yaml.ts";
import type { ShownPlacement, ShownPlacements } from "./shown.ts";

/**
 * The PlacementDecisions of all Placements. They have no ownerReferences, which would need the uid that a Placement gets
 * from its cluster: a user who applies them has to delete them as well. Their status is a subresource: `kubectl apply` makes the
 * objects, `kubectl apply --subresource=status --server-side` fills them.
 */
export function* eachDecision({ placements }: ShownPlacements): Generator<JsonObject> {
  for (const placed of placements) {
    const reports = new Map<string, ClusterReport>();
    for (const report of placed.clusters) if (report.selected) reports.set(report.name, report);
    for (const slice of placed.decisions.slices) yield decisionOf(slice, placed, reports);
  }
}

/** All of them as documents of one YAML file, ready for `kubectl apply`, one by one. */
export function* eachManifest(shown: ShownPlacements): Generator<string> {
  let isFirst = true;
  for (const decision of eachDecision(shown)) {
    yield `${isFirst ? "" : "---\n"}${printYaml(decision)}`;
    isFirst = false;
  }
}

function decisionOf(
  { name, groupName, groupIndex, clusters }: Slice,
  { result: { placement } }: ShownPlacement,
  reports: ReadonlyMap<string, ClusterReport>,
): JsonObject {
  return {
    apiVersion: "cluster.open-cluster-management.io/v1beta1",
    kind: "PlacementDecision",
    metadata: {
      name,
      namespace: placement.namespace,
      labels: sliceLabels(placement.name, groupName, groupIndex),
    },
    status: {
      decisions: clusters.map((clusterName) => {
        const { reason = "", score } = reports.get(clusterName)?.decision ?? {};
        return { clusterName, reason, ...(score !== undefined && { score }) };
      }),
    },
  };
}
