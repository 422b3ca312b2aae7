// How does an item of a list become an object of the input? As the reader of files parses it, with the type of its list, without
// the bookkeeping of the server, and with its place in the cluster.

import { TextFault } from "../input/json-text.ts";
import { exactJson } from "../input/json-value.ts";
import { DEFAULT_LIMITS } from "../input/limits.ts";
import type { ServedApi } from "../kube/discovery.ts";
import { isObject, type Json, type JsonObject, own, partOf } from "../model/json.ts";
import { clusterPlace, type Place } from "../model/place.ts";

/** An object of a cluster. */
export interface ClusterItem {
  readonly object: JsonObject;
  readonly place: Place;
}

/** The object of a text that the server sent for an API; a string is the reason why it is none. */
export function clusterItem(text: string, { group, version, kind }: ServedApi): ClusterItem | string {
  const value = parsed(text);
  if (typeof value === "string") return value;
  if (!isObject(value)) return "an item is not an object";
  const type = { apiVersion: group === "" ? version : `${group}/${version}`, kind };
  // A list cannot bring in objects of a kind that was not asked for.
  const isOther = (key: "apiVersion" | "kind"): boolean => Object.hasOwn(value, key) && own(value, key) !== type[key];
  if (isOther("apiVersion") || isOther("kind")) return `an item is not of the kind ${kind}`;
  const metadata = partOf(value, "metadata");
  const name = own(metadata, "name");
  if (typeof name !== "string") return "an item has no name";
  const namespace = own(metadata, "namespace");
  return {
    object: withoutBookkeeping({ ...type, ...value }, metadata),
    place: clusterPlace(kind, typeof namespace === "string" ? namespace : undefined, name),
  };
}

function parsed(text: string): Json | string {
  try {
    return exactJson(text, DEFAULT_LIMITS.maxDepth);
  } catch (fault) {
    if (fault instanceof TextFault) return fault.message;
    throw fault;
  }
}

/** Who wrote which field of an object is often larger than the object, and means nothing here; kubectl hides it, too. */
function withoutBookkeeping(object: JsonObject, metadata: JsonObject): JsonObject {
  if (!Object.hasOwn(metadata, "managedFields")) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}
