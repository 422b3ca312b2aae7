// What is reported about a whole object, and are hostile schemas and objects handled?

import { expect, test } from "vitest";
import { type VerdictInWords, validatorFor } from "../../../test/crd/in-words.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import { readSchema } from "../schema/read-schema.ts";
import type { ValidationOptions } from "./validator.ts";

function validate(schema: JsonObject, object: JsonObject, how: ValidationOptions = {}): VerdictInWords {
  const options = { preserveUnknownFields: false, celCostLimit: 1_000_000 };
  return validatorFor(readSchema(schema).schema, options).validate(object, how);
}

function field(schema: JsonObject): JsonObject {
  return { type: "object", properties: { a: schema } };
}

function messages(schema: JsonObject, object: JsonObject): string[] {
  return validate(schema, object).faults.map(({ path, message }) => `${printPath(path)} ${message}`);
}

test("a valid object is given back itself", () => {
  const object = { a: { b: [1, 2] } };
  const schema = field({ type: "object", properties: { b: { type: "array", items: { type: "integer" } } } });
  expect(validate(schema, object)).toEqual({ object, dropped: [], faults: [], undecided: undefined });
  expect(validate(schema, object).object).toBe(object);
});

test("without a schema everything is valid", () => {
  const object = { a: null, metadata: 1 };
  const verdict = validatorFor(undefined, { preserveUnknownFields: true, celCostLimit: 1 }).validate(object);
  expect(verdict).toEqual({ object, dropped: [], faults: [], undecided: undefined });
});

test("a fault has its place in the object and in the schema", () => {
  const schema = field({
    type: "array",
    items: { type: "object", required: ["x"], properties: { n: { maximum: 9 }, x: {} } },
  });
  expect(validate(schema, { a: [{ x: 1, n: 10 }, {}] }).faults).toEqual([
    {
      path: ["a", 0, "n"],
      keyword: "maximum",
      message: "must be at most 9, but is 10",
      at: ["properties", "a", "items", "properties", "n", "maximum"],
    },
    {
      path: ["a", 1, "x"],
      keyword: "required",
      message: "is required, but not there",
      at: ["properties", "a", "items", "required"],
    },
  ]);
});

test("faults have one order, for any order of the fields", () => {
  const schema = field({ type: "object", additionalProperties: { type: "string" } });
  const one = validate(schema, { a: { x: 1, y: 2 } });
  const other = validate(schema, { a: { y: 2, x: 1 } });
  expect(one.faults).toEqual(other.faults);
});

test("messages", () => {
  expect(messages(field({ type: "string", maxLength: 1 }), { a: "ab" })).toEqual([
    "a must have at most 1 character, but has 2",
  ]);
  expect(messages(field({ enum: ["a", "b", 3] }), { a: "c" })).toEqual(['a must be "a", "b" or 3, but is "c"']);
  expect(messages(field({ type: "string" }), { a: { b: 1 } })).toEqual(["a must be text, but is an object"]);
  const anyOf = [{ required: ["x", "y"] }, { required: ["z"] }];
  expect(messages(field({ type: "object", anyOf }), { a: {} })).toEqual([
    "a must be valid under at least one of 2 alternatives, but is under none; the 2nd comes closest: z is required, but not there",
  ]);
});

test("messages show long values shortened, and characters that cannot be seen", () => {
  const [long] = messages(field({ enum: ["b"] }), { a: "a".repeat(1_000_000) });
  expect(long).toHaveLength(`a must be "b", but is "${"a".repeat(57)}..."`.length);
  expect(messages(field({ enum: ["b"] }), { a: "\u202e\n" })).toEqual(['a must be "b", but is "\\u202e\\n"']);
  const [many] = messages(field({ enum: Array.from({ length: 1000 }, (_, index) => index) }), { a: -1 });
  expect(many).toBe("a must be 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 or one of 990 more, but is -1");
});

test("the metadata of a whole object has the shape of metadata", () => {
  const metadata = { name: "A_b", namespace: 1, labels: { a: 1 }, annotations: [] };
  expect(validate({ type: "object" }, { kind: 1, metadata }).faults.map(({ path }) => printPath(path))).toEqual([
    "kind",
    "metadata.annotations",
    "metadata.labels.a",
    "metadata.name",
    "metadata.namespace",
  ]);
  expect(validate({ type: "object" }, { metadata: null }).faults).toEqual([]);
  expect(validate({ type: "object" }, { metadata: "x" }).faults).toHaveLength(1);
});

test("the name and the annotations of an embedded resource", () => {
  const wrong = (metadata: JsonObject): string[] =>
    messages(field({ type: "object", "x-kubernetes-embedded-resource": true }), {
      a: { apiVersion: "v1", kind: "P", metadata },
    });
  expect(wrong({ name: ".." })).toEqual([`a.metadata.name ".." is not valid: may not be '..'`]);
  expect(wrong({ annotations: { "Example.COM/a": "b" } })).toEqual([]);
  expect(wrong({ annotations: { a: "b".repeat(262_144) } })).toEqual([
    "a.metadata.annotations must have at most 262144 bytes together, but has 262145",
  ]);
});

test("at most the requested number of faults is reported", () => {
  const schema = field({ type: "array", items: { type: "string" } });
  const object = { a: Array.from({ length: 1000 }, (_, index) => index) };
  expect(validate(schema, object).faults).toHaveLength(100);
  expect(validate(schema, object, { mostFaults: 3 }).faults).toHaveLength(3);
  expect(validate(schema, object, { mostFaults: 0 }).faults).toHaveLength(1);
});

test("keys of a list get their defaults before they are compared", () => {
  const ports = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["port", "protocol"],
    items: { type: "object", properties: { port: { type: "integer" }, protocol: { type: "string", default: "TCP" } } },
  };
  expect(messages(field(ports), { a: [{ port: 1 }, { port: 1, protocol: "UDP" }] })).toEqual([]);
  expect(messages(field(ports), { a: [{ port: 1 }, { port: 1, protocol: "TCP" }] })).toEqual([
    'a[1] must have keys of its own, but port: 1, protocol: "TCP" is there before',
  ]);
});

const RULED = {
  type: "object",
  properties: {
    a: { type: "integer", minimum: 0, default: 5 },
    b: { type: "string", maxLength: 3 },
  },
  "x-kubernetes-validations": [{ rule: "self.a < 10", message: "a is too large" }],
} as const;

test("rules are asked of the object as it is served", () => {
  expect(validate(RULED, { a: 11, zz: 1 }).faults.map(({ keyword, message }) => [keyword, message])).toEqual([
    ["x-kubernetes-validations", "a is too large"],
  ]);
  expect(validate(RULED, {}).faults).toEqual([]);
});

test("rules are asked unless a fault keeps the API server from asking them", () => {
  const keywords = (object: JsonObject): string[] => validate(RULED, object).faults.map(({ keyword }) => keyword);
  expect(keywords({ a: -1, b: "long" })).toEqual(["minimum", "maxLength"]);
  expect(keywords({ a: 11, b: "long" })).toEqual(["maxLength"]);
  const properties = { ...RULED.properties, b: { type: "string", minLength: 3 } };
  expect(validate({ ...RULED, properties }, { a: 11, b: "x" }).faults.map(({ keyword }) => keyword)).toEqual([
    "minLength",
    "x-kubernetes-validations",
  ]);
});

test.each<[string, JsonObject, Json]>([
  ["maxItems", { type: "array", items: {}, maxItems: 0 }, [1]],
  ["maxProperties", { type: "object", additionalProperties: {}, maxProperties: 0 }, { c: 1 }],
  ["enum", { enum: [1] }, 2],
  ["format", { type: "string", format: "date" }, "x"],
  ["type", { type: "string" }, 1],
  ["anyOf", { type: "string", anyOf: [{ enum: ["a"] }] }, "x"],
])("the API server asks no rules after %s", (keyword, b, value) => {
  const schema = { ...RULED, properties: { ...RULED.properties, b } };
  expect(validate(schema, { a: 11, b: value }).faults.map((fault) => fault.keyword)).toEqual([keyword]);
});

test("what an object inherits is none of its fields", () => {
  const object = Object.create({ a: 1, zz: 2 }) as JsonObject;
  const verdict = validate(field({ type: "string", nullable: true }), object);
  expect([verdict.faults, verdict.dropped, verdict.object === object]).toEqual([[], [], true]);
});

test("no fault is reported after something was undecided", () => {
  let deep: Json = {};
  for (let level = 0; level < 2_000; level++) deep = [deep];
  const kept = { "x-kubernetes-preserve-unknown-fields": true };
  const properties = { a: { ...kept, not: { enum: [1] } }, b: { type: "string" } };
  const verdict = validate({ type: "object", properties }, { a: deep, b: 1 });
  expect([verdict.faults, verdict.undecided]).toEqual([[], "values more than 1000 deep are not compared"]);
});

test("rules about changes see what the object was, as it is served", () => {
  const schema = { ...RULED, "x-kubernetes-validations": [{ rule: "self.a >= oldSelf.a" }] };
  expect(validate(schema, { a: 4 }).faults).toHaveLength(0);
  expect(validate(schema, { a: 4 }, { old: { b: "x" } }).faults).toHaveLength(1);
  expect(validate(schema, { a: 5 }, { old: { b: "x" } }).faults).toHaveLength(0);
});

test("a list of a million items is validated whole", () => {
  const items = Array.from({ length: 1_000_000 }, (_, index) => `item ${index}`);
  const set = field({ type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } });
  expect(validate(set, { a: items }).faults).toEqual([]);
  expect(validate(set, { a: [...items, "item 7"] }).faults.map(({ path }) => path)).toEqual([["a", 1_000_000]]);
  expect(validate(field({ type: "array", items: { type: "integer" } }), { a: items }).faults).toHaveLength(100);
});

test("unknown fields may be as deep as they like", () => {
  let deep: Json = {};
  for (let level = 0; level < 100_000; level++) deep = { deep };
  const kept = field({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
  expect(validate(kept, { a: deep, b: deep }).dropped).toEqual([["b"]]);
  expect(validate(field({ enum: [{}] }), { a: deep as JsonObject }).faults).toEqual([]);
});

test("what is too deep to be compared, or to be looked through, is undecided", () => {
  let deep: Json = {};
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const kept = { "x-kubernetes-preserve-unknown-fields": true };
  const undecided = (schema: JsonObject, value: Json): string | undefined =>
    validate(field(schema), { a: value }).undecided;
  expect(undecided({ ...kept, enum: [[]] }, deep)).toBe("values more than 1000 deep are not compared");
  expect(undecided({ ...kept, type: "array", uniqueItems: true }, [deep, 1])).toBe(
    "values more than 1000 deep are not compared",
  );
  expect(undecided({ type: "array" }, deep)).toBe("lists stand more than 500 deep in each other");
});

test("defaults that would outgrow everything are undecided", () => {
  let inner: JsonObject = { type: "integer", default: 1 };
  for (let level = 0; level < 60; level++) inner = { type: "array", items: inner, default: [null, null] };
  expect(validate(field(inner), {}).undecided).toBe("defaults of more than 1000000 values would have to be put in");
});

test("alternatives are tried a limited number of times", () => {
  const anyOf = Array.from({ length: 10_000 }, (_, index) => ({ enum: [index] }));
  const schema = field({ type: "array", items: { anyOf } });
  const { undecided, faults } = validate(schema, { a: Array.from({ length: 10_000 }, () => 9_999) });
  expect([undecided, faults]).toEqual(["more than 5000000 alternatives of the schema had to be tried", []]);
});

test("alternatives in alternatives do not multiply the work", () => {
  let inner: JsonObject = { required: ["x"] };
  for (let level = 0; level < 13; level++) inner = { anyOf: [inner, { required: ["y"] }], oneOf: [inner] };
  expect(validate(field({ type: "object", ...inner }), { a: {} }).faults.map(({ keyword }) => keyword)).toEqual([
    "anyOf",
    "oneOf",
  ]);
});

test("an expression bomb in a pattern is survived, a bad pattern is not asked", () => {
  const bomb = field({ type: "string", pattern: "^(a+)+$" });
  expect(validate(bomb, { a: `${"a".repeat(100_000)}!` }).faults).toHaveLength(1);
  expect(validate(field({ type: "string", pattern: "(a{1000}){1000}" }), { a: "b" }).faults).toEqual([]);
});

test("patterns that are too large together are undecided", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`f${index}`, { type: "string", pattern: `^a{0,900}${index}$` }]),
  );
  const object = Object.fromEntries(Object.keys(properties).map((name) => [name, `a${name.slice(1)}`]));
  const { undecided, faults } = validate({ type: "object", properties }, object);
  expect([undecided, faults]).toEqual(["the patterns of the schema are too many or too large together", []]);
});
