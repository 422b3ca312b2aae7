// How are PlacementDecision and AddOnPlacementScore read?

import { type JsonObject, own } from "../../model/json.ts";
import type { Path } from "../../model/place.ts";
import { controllingPlacement, type PlacementDecision } from "../../model/placement-decision.ts";
import type { AddOnPlacementScore, ClusterScore } from "../../model/placement-score.ts";
import { complete, int32, list, object, objectWith, text } from "../shape.ts";
import { numberOf, partsOf, textMapOf, textOf } from "./fields.ts";
import {
  CONDITIONS,
  type GivenObject,
  identityOf,
  isTerminating,
  type ObjectKind,
  objectShape,
  statusOf,
} from "./object-kind.ts";
import { MAX_REPORTED, warn, warnDuplicates, warnTime } from "./probable-mistakes.ts";

/** OCM's PlacementDecision. */
export const PLACEMENT_DECISION: ObjectKind<PlacementDecision> = {
  kind: "PlacementDecision",
  group: "cluster.open-cluster-management.io",
  versions: ["v1beta1"],
  namespaced: true,
  missingNamespace: "reported",
  naming: "DNS subdomain",
  shape: objectShape({
    status: object({ decisions: list(objectWith(["clusterName"], { clusterName: text, reason: text, score: int32 })) }),
  }),
  build(given) {
    const owner = controllingPlacement(own(given.metadata, "ownerReferences"));
    return {
      ...identityOf(given),
      labels: textMapOf(given.metadata, "labels"),
      ...(owner !== undefined && { owner }),
      ...(isTerminating(given) && { terminating: true }),
      decisions: partsOf(statusOf(given), "decisions").map((decision) => {
        const score = numberOf(decision, "score");
        return {
          clusterName: textOf(decision, "clusterName") ?? "",
          reason: textOf(decision, "reason") ?? "",
          ...(score !== undefined && { score }),
        };
      }),
    };
  },
};

/**
 * OCM's AddOnPlacementScore. There may be several for every cluster: the scores are those of the document, not
 * copies.
 */
export const ADD_ON_PLACEMENT_SCORE: ObjectKind<AddOnPlacementScore> = {
  kind: "AddOnPlacementScore",
  group: "cluster.open-cluster-management.io",
  versions: ["v1alpha1"],
  namespaced: true,
  missingNamespace: "rejected",
  naming: "DNS subdomain",
  shape: objectShape({
    status: object({
      scores: list(complete({ name: text, value: int32 })),
      validUntil: text,
      conditions: CONDITIONS,
    }),
  }),
  build(given) {
    const status = statusOf(given);
    const scores = partsOf(status, "scores");
    warnScores(given, scores);
    const validUntil = textOf(status, "validUntil");
    warnTime(given, VALID_UNTIL, validUntil, "the scores count as expired");
    // Spreading an object would take 240 bytes more for each of them.
    return {
      place: given.place,
      namespace: given.namespace,
      name: given.name,
      scores: scores as unknown as readonly ClusterScore[],
      validUntil,
    };
  },
};

const SCORES: Path = ["status", "scores"];
const VALID_UNTIL: Path = ["status", "validUntil"];
const LARGEST = 100;

/** Reports scores that OCM rejects: out of range, or duplicate names. */
function warnScores(given: GivenObject, scores: readonly JsonObject[]): void {
  warnDuplicates(given, SCORES, scores);
  let reported = 0;
  for (let index = 0; index < scores.length; index++) {
    const value = (scores[index] as JsonObject).value as number;
    if (value >= -LARGEST && value <= LARGEST) continue;
    if (reported++ === MAX_REPORTED) return;
    warn(
      given,
      [...SCORES, index, "value"],
      `is ${value}, and a score is from -100 to 100`,
      "OCM refuses it; it counts as it is",
    );
  }
}
