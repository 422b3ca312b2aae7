import { expect, test } from "vitest";
import { ManualClock } from "../../test/controller/manual-clock.ts";
import { SharedTexts } from "../input/shared-texts.ts";
import type { JsonObject } from "../model/json.ts";
import { DEFAULT_MODE } from "../placement/placement-mode.ts";
import { HubMirror } from "./hub-mirror.ts";
import { placementPlan } from "./placement-plan.ts";
import { ALL_FIELDS } from "./stored-fields.ts";
import { type WatchedItem, type WatchedList, watchedItem } from "./watched-kinds.ts";

const GROUP = "cluster.open-cluster-management.io";
const NAMESPACED = { namespace: "apps" };

function item<List extends WatchedList>(list: List, object: JsonObject): WatchedItem<List> {
  const metadata = { uid: "u", resourceVersion: "1", ...(object.metadata as JsonObject) };
  return watchedItem(list, JSON.stringify({ ...object, metadata }), new SharedTexts()) as WatchedItem<List>;
}

/** A mirror with one cluster, one Placement that selects it, and, if it is written, the decision. */
function mirrorWith(isDecided: boolean): HubMirror {
  const mirror = new HubMirror({
    placing: { mode: DEFAULT_MODE },
    clock: new ManualClock(),
    onAffected: () => undefined,
    onKinds: () => undefined,
  });
  const set = { [`${GROUP}/clusterset`]: "all" };
  const { stores } = mirror;
  stores.managedClusters.put(
    item("managedClusters", {
      ...{ apiVersion: `${GROUP}/v1`, kind: "ManagedCluster" },
      ...{ metadata: { name: "c1", labels: set }, spec: { hubAcceptsClient: true } },
    }),
  );
  stores.managedClusterSets.put(
    item("managedClusterSets", {
      ...{ apiVersion: `${GROUP}/v1beta2`, kind: "ManagedClusterSet", metadata: { name: "all" } },
      spec: { clusterSelector: { selectorType: "ExclusiveClusterSetLabel" } },
    }),
  );
  stores.managedClusterSetBindings.put(
    item("managedClusterSetBindings", {
      ...{ apiVersion: `${GROUP}/v1beta2`, kind: "ManagedClusterSetBinding" },
      ...{ metadata: { name: "all", ...NAMESPACED }, spec: { clusterSet: "all" } },
    }),
  );
  stores.placements.put(
    item("placements", {
      ...{ apiVersion: `${GROUP}/v1beta1`, kind: "Placement" },
      ...{ metadata: { name: "p", ...NAMESPACED, generation: 1 }, spec: {} },
    }),
  );
  if (isDecided) {
    const labels = { placement: "p", "decision-group-index": "0", "decision-group-name": "" };
    stores.placementDecisions.put(
      item("placementDecisions", {
        ...{ apiVersion: `${GROUP}/v1beta1`, kind: "PlacementDecision" },
        metadata: {
          ...{ name: "p-decision-1", ...NAMESPACED, ownerReferences: [{ uid: "u" }] },
          labels: Object.fromEntries(Object.entries(labels).map(([name, value]) => [`${GROUP}/${name}`, value])),
        },
        status: { decisions: [{ clusterName: "c1", reason: "every cluster of the eligible sets is wanted" }] },
      }),
    );
  }
  mirror.engine.writeScores("none");
  mirror.apply();
  return mirror;
}

function planOf(mirror: HubMirror, failure: string | undefined) {
  const placement = mirror.stores.placements.get("apps/p") as WatchedItem<"placements">;
  const { steps } = placementPlan(placement, mirror, { mode: DEFAULT_MODE, stored: ALL_FIELDS, failure, now: 0 });
  const reasonOf = (status: unknown): string | undefined =>
    (status as { conditions?: readonly { type: string; reason: string }[] } | undefined)?.conditions?.find(
      ({ type }) => type === "PlacementSatisfied",
    )?.reason;
  return steps.map(({ write }) =>
    write.verb === "patch" && write.path.includes("/placements/") ? reasonOf(write.patch.status) : write.verb,
  );
}

test("decisions first, then the status", () => {
  expect(planOf(mirrorWith(false), undefined)).toEqual(["create", "update", "AllDecisionsScheduled"]);
});

test("a failure is reported before the next attempt", () => {
  expect(planOf(mirrorWith(false), "forbidden")).toEqual(["DecisionsNotWritten", "create", "update"]);
});

test("a failure is not reported once nothing is left to write", () => {
  expect(planOf(mirrorWith(true), "forbidden")).toEqual(["AllDecisionsScheduled"]);
});
