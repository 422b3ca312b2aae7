// What does an administrator demand of a namespace? The spec of its Resolution, as the API server has checked it; what is missing or has an
// unknown form has its default.

import { isList, type JsonObject, own, partOf } from "../model/json.ts";
import { CLUSTER_SCOPE } from "../model/problem.ts";
import { CLUSTER_RESOLUTION, NAMESPACE_RESOLUTION } from "../model/resolution-object.ts";
import type { AdviceTerms, RadiusRequest } from "./threads.ts";
import type { WatchedResolution } from "./watched-kinds.ts";

/** The label of Resolutions that the controller has created: it removes them when nothing is requested any more. */
export const MANAGED: readonly [string, string] = ["app.kubernetes.io/managed-by", "plimsoll"];

export function isOff(resolution: JsonObject): boolean {
  return own(partOf(resolution, "spec"), "mode") === "Off";
}

export function termsOf(resolution: JsonObject | undefined): AdviceTerms {
  const spec = partOf(resolution ?? {}, "spec");
  const hold = own(spec, "hold");
  return {
    isManual: own(spec, "approval") === "Manual",
    hold: isList(hold) ? hold.filter((one) => typeof one === "string") : [],
    allOrNothing: own(spec, "allOrNothing") === true,
  };
}

/** What all Resolutions demand; `own` is the namespace of the controller, which has the one of the ClusterExtensions. */
export function termsOfAll(resolutions: Iterable<WatchedResolution>, own: string): RadiusRequest["terms"] {
  const terms = new Map<string, AdviceTerms | "off">();
  for (const { namespace, name, object } of resolutions) {
    const its = isOff(object) ? "off" : termsOf(object);
    if (name === NAMESPACE_RESOLUTION) terms.set(namespace, its);
    else if (name === CLUSTER_RESOLUTION && namespace === own) terms.set(CLUSTER_SCOPE, its);
  }
  return terms;
}

/** Was it created by the controller, and does it say nothing that an administrator would miss? */
export function isExpendable(resolution: JsonObject): boolean {
  const [key, value] = MANAGED;
  const isOwn = own(partOf(partOf(resolution, "metadata"), "labels"), key) === value;
  const { isManual, hold, allOrNothing } = termsOf(resolution);
  return isOwn && !isOff(resolution) && !isManual && hold.length === 0 && !allOrNothing;
}

/** Is it deleted as soon as its finalizers allow it? */
export function isTerminating(resolution: JsonObject): boolean {
  return own(partOf(resolution, "metadata"), "deletionTimestamp") !== undefined;
}
