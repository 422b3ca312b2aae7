import { expect, test } from "vitest";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import type { JsonObject } from "../model/json.ts";
import { clusterDefinitions } from "./cluster-definitions.ts";

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "winches.example.com" },
  spec: { group: "example.com", scope: "Namespaced", names: { kind: "Winch", plural: "winches" }, versions: [] },
};

function operator(
  namespace: string,
  more: { readonly metadata?: JsonObject; readonly status?: JsonObject } = {},
): JsonObject {
  const owned = [{ name: "winches.example.com", version: "v1", kind: "Winch" }];
  return {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name: "winch.v1.0.0", namespace, ...more.metadata },
    spec: { version: "1.0.0", customresourcedefinitions: { owned } },
    status: { phase: "Succeeded", ...more.status },
  };
}

/** How many own the winches, and how many the cranes that no operator owns. */
function ownersWith(...operators: readonly JsonObject[]): readonly (number | undefined)[] {
  const crane = {
    ...CRD,
    metadata: { name: "cranes.example.com" },
    spec: { ...CRD.spec, names: { kind: "Crane", plural: "cranes" } },
  };
  const reader = new ObjectsReader(() => {});
  for (const object of [CRD, crane, ...operators]) reader.add(object, { source: "cluster", line: 0, column: 0 });
  const names = ["winches.example.com", "cranes.example.com"];
  const { owners } = clusterDefinitions(new Set(names), reader.finish(), []);
  return names.map((name) => owners.get(name));
}

test("every operator that owns a definition counts, unless it is a copy or leaves", () => {
  expect(ownersWith()).toEqual([1, 1]);
  expect(ownersWith(operator("a"), operator("b"))).toEqual([2, 1]);
  const leaving = [
    operator("b", { status: { phase: "Replacing" } }),
    operator("c", { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }),
    operator("d", { metadata: { labels: { "olm.copiedFrom": "a" } } }),
  ];
  expect(ownersWith(operator("a"), ...leaving)).toEqual([1, 1]);
});

test("only the definitions that are compared are a side, and objects are known only if all were read", () => {
  const reader = new ObjectsReader(() => {});
  reader.add(CRD, { source: "cluster", line: 0, column: 0 });
  const other = clusterDefinitions(new Set(["cranes.example.com"]), reader.finish(), []);
  expect(other.side.definitions).toEqual([]);
  expect(clusterDefinitions(new Set([CRD.metadata.name]), reader.finish(), []).objects.isDamaged).toBe(true);
  reader.completeKind({ group: "example.com", kind: "Winch" });
  expect(clusterDefinitions(new Set([CRD.metadata.name]), reader.finish(), []).objects.isDamaged).toBe(false);
});
