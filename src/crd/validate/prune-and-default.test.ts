// What becomes of an object before it is validated. The expected objects and dropped fields are those of Kubernetes'
// apiextensions-apiserver v0.37.2 (Prune, PruneNonNullableNullsWithoutDefaults, Coerce, Default, in this order).

import { expect, test } from "vitest";
import type { JsonObject } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import { readSchema } from "../schema/read-schema.ts";
import { validatorFor } from "./validator-for.ts";

function served(schema: JsonObject, object: JsonObject, preserveUnknownFields = false) {
  const validator = validatorFor(readSchema(schema).schema, { preserveUnknownFields, celCostLimit: 1_000_000 });
  const { object: result, dropped, undecided } = validator.validate(object);
  expect(undecided).toBeUndefined();
  return { result, dropped: dropped.map(printPath) };
}

/** A schema of objects with one field. */
function field(schema: JsonObject): JsonObject {
  return { type: "object", properties: { a: schema } };
}

const KNOWN = { type: "object", properties: { x: { type: "string" } } } as const;
const KEPT = { ...KNOWN, "x-kubernetes-preserve-unknown-fields": true } as const;

interface Case {
  readonly name: string;
  readonly schema: JsonObject;
  readonly object: JsonObject;
  readonly becomes: JsonObject;
  readonly dropped?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: "unknown fields are dropped, the outermost are reported",
    schema: field(KNOWN),
    object: { a: { x: "1", y: { z: 1 } }, b: 1 },
    becomes: { a: { x: "1" } },
    dropped: ["a.y", "b"],
  },
  {
    name: "of a whole object, apiVersion, kind and metadata are known",
    schema: { type: "object" },
    object: { apiVersion: "v1", kind: "K", metadata: { name: "n" }, spec: {} },
    becomes: { apiVersion: "v1", kind: "K", metadata: { name: "n" } },
    dropped: ["spec"],
  },
  {
    name: "the fields of Kubernetes metadata are known, even if the schema has others",
    schema: { type: "object", properties: { metadata: { type: "object", properties: { name: { type: "string" } } } } },
    object: { metadata: { name: "n", labels: { a: "b" }, zz: 1 } },
    becomes: { metadata: { name: "n", labels: { a: "b" } } },
    dropped: ["metadata.zz"],
  },
  {
    name: "of an owner reference, the fields of Kubernetes are known",
    schema: { type: "object" },
    object: { metadata: { name: "n", ownerReferences: [{ name: "a", controller: true, zz: 1 }, { uid: "b" }, null] } },
    becomes: { metadata: { name: "n", ownerReferences: [{ name: "a", controller: true }, { uid: "b" }, null] } },
    dropped: ["metadata.ownerReferences[0].zz"],
  },
  {
    name: "in lists",
    schema: field({ type: "array", items: KNOWN }),
    object: { a: [{ x: "1" }, { x: "2", y: 1 }, {}] },
    becomes: { a: [{ x: "1" }, { x: "2" }, {}] },
    dropped: ["a[1].y"],
  },
  {
    name: "in maps",
    schema: field({ type: "object", additionalProperties: KNOWN }),
    object: { a: { k: { y: 1 } } },
    becomes: { a: { k: {} } },
    dropped: ["a.k.y"],
  },
  {
    name: "everything in fields that are allowed without a schema is unknown",
    schema: field({ type: "object", additionalProperties: true }),
    object: { a: { b: { c: 1 }, d: [[{ e: 1 }]], f: null, g: 1 } },
    becomes: { a: { b: {}, d: [[{}]], f: null, g: 1 } },
    dropped: ["a.b.c", "a.d[0][0].e"],
  },
  {
    name: "a list without items, too",
    schema: field({ type: "array" }),
    object: { a: [{ b: 1 }, 1] },
    becomes: { a: [{}, 1] },
    dropped: ["a[0].b"],
  },
  {
    name: "also where a text is expected",
    schema: field({ type: "string" }),
    object: { a: { b: 1 } },
    becomes: { a: {} },
    dropped: ["a.b"],
  },
  {
    name: "unknown fields are kept where the schema has x-kubernetes-preserve-unknown-fields",
    schema: field(KEPT),
    object: { a: { x: "1", y: { z: [{ q: 1 }] } } },
    becomes: { a: { x: "1", y: { z: [{ q: 1 }] } } },
  },
  {
    name: "but not in the known ones",
    schema: field({ ...KEPT, properties: { x: KNOWN } }),
    object: { a: { x: { y: 1 }, y: 1 } },
    becomes: { a: { x: {}, y: 1 } },
    dropped: ["a.x.y"],
  },
  {
    name: "nor in additional ones with a schema",
    schema: field({ type: "object", additionalProperties: KNOWN, "x-kubernetes-preserve-unknown-fields": true }),
    object: { a: { k: { y: 1 } } },
    becomes: { a: { k: {} } },
    dropped: ["a.k.y"],
  },
  {
    name: "items of a list that keeps them keep them",
    schema: field({ type: "array", items: KNOWN, "x-kubernetes-preserve-unknown-fields": true }),
    object: { a: [{ y: 1 }] },
    becomes: { a: [{ y: 1 }] },
  },
  {
    name: "an embedded resource keeps apiVersion, kind and metadata",
    schema: field({ ...KNOWN, "x-kubernetes-embedded-resource": true }),
    object: { a: { apiVersion: "v1", kind: "K", metadata: { name: "n", zz: 1 }, x: "1", y: 1 } },
    becomes: { a: { apiVersion: "v1", kind: "K", metadata: { name: "n" }, x: "1" } },
    dropped: ["a.metadata.zz", "a.y"],
  },
  {
    name: "other objects do not",
    schema: field(KNOWN),
    object: { a: { kind: "K", metadata: {} } },
    becomes: { a: {} },
    dropped: ["a.kind", "a.metadata"],
  },
  {
    name: "alternatives make no field known",
    schema: { type: "object", anyOf: [{ properties: { a: {} } }] },
    object: { a: 1 },
    becomes: {},
    dropped: ["a"],
  },
  {
    name: "__proto__ is a field like any other",
    schema: field(KEPT),
    object: { a: JSON.parse('{"__proto__":{"b":1},"x":null}') },
    becomes: { a: JSON.parse('{"__proto__":{"b":1}}') },
  },
  {
    name: "and may be unknown",
    schema: field(KNOWN),
    object: { a: JSON.parse('{"__proto__":{"b":1}}') },
    becomes: { a: {} },
    dropped: ["a.__proto__"],
  },
  { name: "a null that may not be is dropped", schema: field({ type: "string" }), object: { a: null }, becomes: {} },
  {
    name: "from maps, too",
    schema: field({ type: "object", additionalProperties: { type: "string" } }),
    object: { a: { b: null } },
    becomes: { a: {} },
  },
  {
    name: "but not from lists",
    schema: field({ type: "array", items: { type: "string" } }),
    object: { a: [null] },
    becomes: { a: [null] },
  },
  {
    name: "a null that may be stays",
    schema: field({ type: "string", nullable: true, default: "d" }),
    object: { a: null },
    becomes: { a: null },
  },
  {
    name: "a null of which nothing is known stays",
    schema: field(KEPT),
    object: { a: { y: null } },
    becomes: { a: { y: null } },
  },
  {
    name: "a null is replaced by the default",
    schema: field({ type: "string", default: "d" }),
    object: { a: null },
    becomes: { a: "d" },
  },
  {
    name: "in lists, too",
    schema: field({ type: "array", items: { type: "string", default: "d" } }),
    object: { a: [null, "b"] },
    becomes: { a: ["d", "b"] },
  },
  {
    name: "and in maps",
    schema: field({ type: "object", additionalProperties: { type: "string", default: "d" } }),
    object: { a: { b: null } },
    becomes: { a: { b: "d" } },
  },
  { name: "a default", schema: field({ type: "integer", default: 0 }), object: {}, becomes: { a: 0 } },
  {
    name: "no default where there is a value",
    schema: field({ type: "boolean", default: true }),
    object: { a: false },
    becomes: { a: false },
  },
  {
    name: "a default of an object that is not there",
    schema: field({ type: "object", properties: { b: { default: 1 } } }),
    object: {},
    becomes: {},
  },
  {
    name: "a default gets the defaults in it and loses what is unknown",
    schema: field({ type: "object", default: { z: 1 }, properties: { b: { type: "integer", default: 3 } } }),
    object: {},
    becomes: { a: { b: 3 } },
  },
  {
    name: "defaults in lists",
    schema: field({ type: "array", items: { type: "object", properties: { p: { type: "string", default: "TCP" } } } }),
    object: { a: [{}, { p: "UDP" }] },
    becomes: { a: [{ p: "TCP" }, { p: "UDP" }] },
  },
  {
    name: "defaults under the name __proto__",
    schema: { type: "object", properties: JSON.parse('{"__proto__":{"type":"object","default":{}}}') },
    object: {},
    becomes: JSON.parse('{"__proto__":{}}'),
  },
  {
    name: "defaults in metadata",
    schema: {
      type: "object",
      properties: { metadata: { type: "object", properties: { namespace: { type: "string", default: "d" } } } },
    },
    object: { metadata: { name: "n" } },
    becomes: { metadata: { name: "n", namespace: "d" } },
  },
];

test.each(CASES)("$name", ({ schema, object, becomes, dropped = [] }) => {
  const before = structuredClone(object);
  const { result, dropped: actual } = served(schema, object);
  expect(result).toEqual(becomes);
  expect(Object.keys(result)).toEqual(Object.keys(becomes));
  expect(actual).toEqual(dropped);
  expect(object).toEqual(before);
  // What is not changed is not copied, and what was served once stays as it is.
  const again = served(schema, result);
  if (again.dropped.length === 0) expect(again.result).toBe(result);
});

test("what does not change is not copied", () => {
  const schema = field({ type: "object", properties: { list: { type: "array", items: KNOWN }, other: KNOWN } });
  const object = { a: { list: [{ x: "1" }, { y: 1 }], other: { x: "2" } } };
  const { result } = served(schema, object);
  const { list, other } = (result as unknown as typeof object).a;
  expect([list[0] === object.a.list[0], other === object.a.other]).toEqual([true, true]);
});

test("a definition that keeps unknown fields keeps everything, and nulls", () => {
  const object = { a: { y: 1, x: null }, b: [{ c: 1 }], metadata: { name: "n" } };
  expect(served(field(KNOWN), object, true)).toEqual({ result: object, dropped: [] });
  expect(served(field({ ...KNOWN, default: {} }), {}, true).result).toEqual({ a: {} });
  const map = { a: { b: { c: 1 } } };
  expect(served(field({ type: "object", additionalProperties: true }), map, true).result).toBe(map);
});

test("a null in a default stays, even if it is not nullable", () => {
  expect(served(field({ ...KNOWN, default: { x: null } }), {}).result).toEqual({ a: { x: null } });
});

test("two fields get their default at once, and objects share it without harm", () => {
  const schema = {
    type: "object",
    properties: { a: { default: { b: 1 }, "x-kubernetes-preserve-unknown-fields": true } },
  };
  const validator = validatorFor(readSchema(schema).schema, { preserveUnknownFields: false, celCostLimit: 1 });
  expect(validator.validate({}).object).toEqual({ a: { b: 1 } });
  expect(validator.validate({}).object).toEqual({ a: { b: 1 } });
});
