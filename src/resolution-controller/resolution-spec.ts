// What does an administrator demand of a namespace? The spec of its Resolution, as the API server has checked it; what is missing or has an
// unknown form has its default.

import { isList, type JsonObject, own, partOf } from "../model/json.ts";
import type { AdviceTerms } from "./threads.ts";

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
