import { expect, test } from "vitest";
import type { ObjectChange } from "../threads.ts";
import { watchedInput } from "../watched-kinds.ts";
import { ObjectMirror } from "./object-mirror.ts";

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "lamps.example.com", uid: "1", resourceVersion: "1" },
  spec: {
    group: "example.com",
    names: { kind: "Lamp", plural: "lamps" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

function changeTo(text: string | undefined): ObjectChange {
  const list = "customResourceDefinitions";
  const input = text === undefined ? undefined : watchedInput(list, text);
  if (typeof input === "string") throw new Error(input);
  return { list, key: "lamps.example.com", part: input?.part };
}

test("a kind whose definition goes is not provided by the server until that says so", () => {
  const lamp = { group: "example.com", version: "v1", kind: "Lamp", plural: "lamps", namespaced: true, verbs: [] };
  const facts = { versions: [], apis: [lamp], lost: [] };
  const mirror = new ObjectMirror();
  mirror.know(facts);
  mirror.take([changeTo(JSON.stringify(CRD))]);
  expect(mirror.properties).toEqual([]);
  mirror.take([changeTo(undefined)]);
  expect(mirror.properties).toEqual([]);
  // An APIService may serve it afterwards.
  mirror.know(facts);
  expect(mirror.properties).toHaveLength(1);
});
