// Which specs do tests of the controller use? Parts of a Placement that several of them need.

import type { JsonObject } from "../../../src/model/json.ts";

/** c001, c002 and so on. */
export function names(count: number, from = 1): readonly string[] {
  return Array.from({ length: count }, (_, at) => `c${String(from + at).padStart(3, "0")}`);
}

/** Clusters with labels. */
export function labelled(matchLabels: JsonObject): JsonObject {
  return { predicates: [{ requiredClusterSelector: { labelSelector: { matchLabels } } }] };
}

/** Clusters whose claim has one of the values. */
export function claimed(key: string, ...values: readonly string[]): JsonObject {
  const matchExpressions = [{ key, operator: "In", values }];
  return { predicates: [{ requiredClusterSelector: { claimSelector: { matchExpressions } } }] };
}

/** Clusters for which expressions hold. */
export function expressed(...celExpressions: readonly string[]): JsonObject {
  return { predicates: [{ requiredClusterSelector: { celSelector: { celExpressions } } }] };
}

/** The best clusters by one score of an add-on alone. */
export function bestBy(resourceName: string, scoreName: string, numberOfClusters: number): JsonObject {
  const scoreCoordinate = { type: "AddOn", addOn: { resourceName, scoreName } };
  return { numberOfClusters, prioritizerPolicy: { mode: "Exact", configurations: [{ scoreCoordinate, weight: 1 }] } };
}

/** So many seconds from now, in whole seconds, as times are written in objects. */
export function inSeconds(seconds: number): Date {
  return new Date((Math.floor(Date.now() / 1000) + seconds) * 1000);
}

/** A time as the API server keeps it. */
export function timeText(time: Date): string {
  return time.toISOString().replace(/\.\d+Z/, "Z");
}

/** Is a moment over? Tests of timers compare with the time of the hub and of the controller, which is that of this machine. */
export function isOver(moment: Date, seconds = 0): boolean {
  return Date.now() >= moment.getTime() + seconds * 1000;
}
