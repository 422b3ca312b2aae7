// What does a small fleet consist of? Manifests that are easy to write down, and the objects of the model that they are read
// as; each has a place of its own, which stays the same when the object changes.

import { ObjectsReader } from "../../src/input/objects/read-objects.ts";
import { type JsonObject, own } from "../../src/model/json.ts";
import type { Situation } from "./placement-brute-force-filters.ts";

/** The objects that placement is about. */
export type Fleet = Situation["objects"];

const GROUP = "cluster.open-cluster-management.io";

/** The label of a cluster with the name of its set. */
export const SET_LABEL: string = `${GROUP}/clusterset`;

/** A Placement. */
export function placement(namespace: string, name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return object("v1beta1", "Placement", { namespace, name, generation: 1, ...metadata }, { spec });
}

/** A ManagedCluster. */
export function managedCluster(
  name: string,
  labels: JsonObject,
  parts: { readonly metadata?: JsonObject; readonly spec?: JsonObject; readonly status?: JsonObject } = {},
): JsonObject {
  const { metadata = {}, spec = {}, status = {} } = parts;
  return object("v1", "ManagedCluster", { name, labels, ...metadata }, { spec, status });
}

/** A ManagedClusterSet. */
export function clusterSet(name: string, clusterSelector?: JsonObject): JsonObject {
  return object("v1beta2", "ManagedClusterSet", { name }, { spec: clusterSelector ? { clusterSelector } : {} });
}

/** A ManagedClusterSetBinding. */
export function setBinding(namespace: string, name: string): JsonObject {
  return object("v1beta2", "ManagedClusterSetBinding", { namespace, name }, { spec: { clusterSet: name } });
}

/** A PlacementDecision; the owner is the name of its Placement, undefined if it has none. */
export function decision(
  namespace: string,
  name: string,
  owner: string | undefined,
  clusters: readonly string[],
  group: { readonly name: string; readonly index: number } = { name: "", index: 0 },
): JsonObject {
  const labels =
    owner === undefined
      ? {}
      : {
          [`${GROUP}/placement`]: owner,
          [`${GROUP}/decision-group-name`]: group.name,
          [`${GROUP}/decision-group-index`]: String(group.index),
        };
  const decisions = clusters.map((clusterName) => ({ clusterName, reason: "" }));
  return object("v1beta1", "PlacementDecision", { namespace, name, labels }, { status: { decisions } });
}

/** An AddOnPlacementScore. */
export function addOnScore(
  cluster: string,
  name: string,
  scores: Readonly<Record<string, number>>,
  validUntil?: string,
): JsonObject {
  const list = Object.entries(scores).map(([score, value]) => ({ name: score, value }));
  const status = { scores: list, ...(validUntil !== undefined && { validUntil }) };
  return object("v1alpha1", "AddOnPlacementScore", { namespace: cluster, name }, { status });
}

function object(version: string, kind: string, metadata: JsonObject, rest: JsonObject): JsonObject {
  return { apiVersion: `${GROUP}/${version}`, kind, metadata, ...rest };
}

/** The kind, namespace and name of an object: what identifies it. */
export function identityOf(manifest: JsonObject): string {
  const metadata = own(manifest, "metadata") as JsonObject;
  return [own(manifest, "kind"), own(metadata, "namespace") ?? "", own(metadata, "name")].join("/");
}

/** The objects of the model. Every manifest must be readable. */
export function readFleet(manifests: readonly JsonObject[]): Fleet {
  const reader = new ObjectsReader((found) => {
    if (found.severity === "error") throw new Error(`${found.message} (${found.place?.source})`);
  });
  for (const manifest of manifests) {
    reader.add(manifest, { source: `${identityOf(manifest)}.yaml`, line: 1, column: 1 });
  }
  const { managedClusters, managedClusterSets, managedClusterSetBindings, placements, ...rest } = reader.finish();
  const { placementDecisions, addOnPlacementScores } = rest;
  return {
    managedClusters,
    managedClusterSets,
    managedClusterSetBindings,
    placements,
    placementDecisions,
    addOnPlacementScores,
  };
}
