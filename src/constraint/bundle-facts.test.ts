import { expect, test } from "vitest";
import type { Property } from "../model/catalog.ts";
import type { Json } from "../model/json.ts";
import { bundleFacts, installedFacts } from "./bundle-facts.ts";

function manifest(object: Json | string): Property {
  const text = typeof object === "string" ? object : JSON.stringify(object);
  const binary = String.fromCharCode(...new TextEncoder().encode(text));
  return { type: "olm.bundle.object", value: { data: btoa(binary) } };
}

const modes = [{ type: "OwnNamespace", supported: true }];
const metadata: Property = { type: "olm.csv.metadata", value: { minKubeVersion: "1.20.0", installModes: modes } };
const csv = (spec: Json): Json => ({ kind: "ClusterServiceVersion", metadata: { name: "é" }, spec });

test("nothing is known about a bundle without statements", () => {
  expect(bundleFacts([])).toEqual({ deprecated: false });
});

test("the metadata come first, then the ClusterServiceVersion among the manifests", () => {
  const crd = manifest({ kind: "CustomResourceDefinition", note: "ClusterServiceVersion" });
  const object = manifest(csv({ minKubeVersion: "1.21.0", installModes: [{ type: "AllNamespaces" }, 1, {}] }));
  expect(bundleFacts([crd, object, metadata])).toMatchObject({ minKubeVersion: "1.20.0", installModes: modes });
  expect(bundleFacts([crd, object])).toMatchObject({
    minKubeVersion: "1.21.0",
    installModes: [{ type: "AllNamespaces", supported: false }],
  });
  expect(bundleFacts([crd])).toEqual({ deprecated: false });
});

test.each<[Property]>([
  [{ type: "olm.bundle.object", value: { data: "%%" } }],
  [{ type: "olm.bundle.object", value: { ref: "csv.yaml" } }],
  [{ type: "olm.bundle.object", value: "x" }],
  [manifest("kind: ClusterServiceVersion")],
  [manifest("[1]")],
  [manifest({ kind: "ClusterServiceVersion" })],
  [manifest(csv({ minKubeVersion: 1.2, installModes: {} }))],
  [{ type: "olm.csv.metadata", value: "x" }],
  [{ type: "olm.csv.metadata", value: { minKubeVersion: "" } }],
])("what cannot be read is not known: %j", (property) => {
  expect(bundleFacts([property])).toEqual({ deprecated: false });
});

test("OpenShift's limit is text or a number; the first counts", () => {
  const most = (value: Json): Property => ({ type: "olm.maxOpenShiftVersion", value });
  expect(bundleFacts([most("4.9")]).maxOpenShiftVersion).toBe("4.9");
  expect(bundleFacts([most(4.9), most("4.8")]).maxOpenShiftVersion).toBe("4.9");
  expect(bundleFacts([most({})]).maxOpenShiftVersion).toBeUndefined();
});

test("a deprecated bundle has a property of any value", () => {
  expect(bundleFacts([{ type: "olm.deprecated", value: {} }]).deprecated).toBe(true);
});

test("the answer for the same properties is remembered", () => {
  const properties = [metadata];
  expect(bundleFacts(properties)).toBe(bundleFacts(properties));
});

test("an installed operator has its own facts", () => {
  const operator = {
    namespace: "n",
    name: "a.v1",
    package: "a",
    version: undefined,
    properties: [metadata, { type: "olm.maxOpenShiftVersion", value: "4.9" }],
    minKubeVersion: undefined,
    installModes: [],
    hold: undefined,
    place: undefined,
  };
  expect(installedFacts(operator)).toEqual({ installModes: [], maxOpenShiftVersion: "4.9", deprecated: false });
});
