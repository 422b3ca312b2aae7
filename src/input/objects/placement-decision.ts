// How do PlacementDecision and AddOnPlacementScore read?

import type { PlacementDecision } from "../../model/placement-decision.ts";
import type { AddOnPlacementScore, ClusterScore } from "../../model/placement-score.ts";
import { int32, list, object, text } from "../shape.ts";
import { numberOf, partsOf, textMapOf, textOf } from "./fields.ts";
import { CONDITIONS, type ObjectKind, objectShape, statusOf } from "./object-kind.ts";

/** OCM's PlacementDecision. */
export const PLACEMENT_DECISION: ObjectKind<PlacementDecision> = {
  kind: "PlacementDecision",
  group: "cluster.open-cluster-management.io",
  versions: ["v1beta1"],
  namespaced: true,
  shape: objectShape({
    status: object({ decisions: list(object({ clusterName: text, reason: text, score: int32 }, "clusterName")) }),
  }),
  build(given) {
    return {
      place: given.place,
      namespace: given.namespace,
      name: given.name,
      labels: textMapOf(given.metadata, "labels"),
      decisions: partsOf(statusOf(given), "decisions").map((decision) => ({
        clusterName: textOf(decision, "clusterName") ?? "",
        reason: textOf(decision, "reason") ?? "",
        score: numberOf(decision, "score"),
      })),
    };
  },
};

/** OCM's AddOnPlacementScore. There may be several for every cluster: the scores are those of the document. */
export const ADD_ON_PLACEMENT_SCORE: ObjectKind<AddOnPlacementScore> = {
  kind: "AddOnPlacementScore",
  group: "cluster.open-cluster-management.io",
  versions: ["v1alpha1"],
  namespaced: true,
  shape: objectShape({
    status: object({
      scores: list(object({ name: text, value: int32 }, "name", "value")),
      validUntil: text,
      conditions: CONDITIONS,
    }),
  }),
  build(given) {
    const status = statusOf(given);
    return {
      place: given.place,
      namespace: given.namespace,
      name: given.name,
      scores: partsOf(status, "scores") as unknown as readonly ClusterScore[],
      validUntil: textOf(status, "validUntil"),
    };
  },
};
