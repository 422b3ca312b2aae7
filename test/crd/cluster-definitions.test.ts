// Which objects does a custom kind of the cluster have, and could all of them be read?

import { expect, test } from "vitest";
import { ObjectsReader } from "../../src/input/objects/read-objects.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { clusterDefinitions } from "../../src/resolve/prepare/definitions.ts";

const CRD: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "winches.quay.example.com" },
  spec: { group: "quay.example.com", names: { kind: "Winch", plural: "winches" }, scope: "Namespaced", versions: [] },
};

function winch(name: string | undefined, spec: JsonObject, group = "quay.example.com"): JsonObject {
  return { apiVersion: `${group}/v1`, kind: "Winch", metadata: name === undefined ? {} : { name }, spec };
}

function read(...objects: readonly JsonObject[]) {
  const reader = new ObjectsReader(() => {});
  for (const [index, object] of [CRD, ...objects].entries())
    reader.add(object, { source: "x.yaml", line: index + 1, column: 1 });
  const [only] = clusterDefinitions(reader.finish(), [], []);
  return { names: only?.objects?.map(({ name }) => name), isPartial: only?.isPartial === true };
}

test("a definition has the objects of its group and kind; without any, they are unknown", () => {
  expect(read(winch("a", {}), winch("b", {}, "other.example.com"))).toEqual({ names: ["a"], isPartial: false });
  expect(read()).toEqual({ names: undefined, isPartial: false });
});

test("objects that contradict each other, or have no name, are missing, and that is known", () => {
  expect(read(winch("a", {}), winch("b", { x: 1 }), winch("b", { x: 2 }))).toEqual({ names: ["a"], isPartial: true });
  expect(read(winch("a", {}), winch(undefined, {}))).toEqual({ names: ["a"], isPartial: true });
});

/** What a cluster returns, and above it what was given. */
function readAbove(cluster: ObjectsReader, ...objects: readonly JsonObject[]) {
  cluster.add(CRD, { source: "cluster/CustomResourceDefinition/winches", line: 0, column: 0 });
  const reader = new ObjectsReader(() => {}, "quay");
  for (const [index, object] of objects.entries()) reader.add(object, { source: "x.yaml", line: index + 1, column: 1 });
  reader.addBelow([cluster]);
  const [only] = clusterDefinitions(reader.finish(), [], []);
  return only;
}

test("objects that are given beside a cluster that did not return its own are not all", () => {
  const cluster = new ObjectsReader(() => {});
  cluster.missKind({ group: "quay.example.com", kind: "Winch" });
  expect(readAbove(cluster, winch("a", {}))).toMatchObject({ objects: [{ name: "a" }], isPartial: true });
  const other = readAbove(cluster);
  expect([other?.objects, other?.isPartial]).toEqual([undefined, undefined]);
});

test("an object without a namespace replaces that of the cluster in the default namespace", () => {
  const cluster = new ObjectsReader(() => {});
  const running = { ...winch("a", { x: 1 }), metadata: { name: "a", namespace: "quay" } };
  cluster.add(running, { source: "cluster/quay/Winch/a", line: 0, column: 0 });
  const only = readAbove(cluster, winch("a", { x: 2 }));
  expect(only?.objects?.map(({ namespace, object }) => [namespace, object.spec])).toEqual([["quay", { x: 2 }]]);
});
