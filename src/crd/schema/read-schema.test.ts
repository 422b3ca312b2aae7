// Follows apiextensions-apiserver v0.36.3, JSONSchemaProps and ValidateCustomResourceDefinitionOpenAPISchema.

import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../model/json.ts";
import { schemaFaultText } from "../../render/sentence/schema-fault.ts";
import { MAX_LEVELS, MAX_NODES, readSchema } from "./read-schema.ts";
import type { Schema } from "./schema.ts";

function faultsOf(json: JsonObject): readonly string[] {
  return readSchema(json).faults.map(({ kind, at, detail }) => `${kind} ${at.join("/")}: ${schemaFaultText(detail)}`);
}

/** A schema with this depth. */
function nested(levels: number, innermost: JsonObject): JsonObject {
  let json = innermost;
  for (let level = 1; level < levels; level++) json = { type: "object", properties: { a: json } };
  return json;
}

function property(schema: Schema, ...names: readonly string[]): Schema {
  return names.reduce((node, name) => node.properties.get(name) as Schema, schema);
}

describe("what is read", () => {
  test("an empty node", () => {
    const { schema, faults } = readSchema({});
    expect(faults).toEqual([]);
    expect(schema).toMatchObject({
      type: undefined,
      nullable: false,
      additionalProperties: undefined,
      items: undefined,
      required: [],
      enum: undefined,
      default: undefined,
      minimum: undefined,
      preserveUnknownFields: false,
      validations: [],
      at: [],
    });
    expect([schema.properties.size, schema.other.size]).toEqual([0, 0]);
  });

  const KEYWORDS: readonly (readonly [string, Json, keyof Schema, unknown?])[] = [
    ["type", "string", "type"],
    ["nullable", true, "nullable"],
    ["required", ["a"], "required"],
    ["enum", ["a", null, 1], "enum"],
    ["default", { a: [null] }, "default"],
    ["default", false, "default"],
    ["format", "date-time", "format"],
    ["pattern", "^a", "pattern"],
    ["minimum", -1.5, "minimum"],
    ["maximum", 2n ** 60n, "maximum"],
    ["exclusiveMinimum", true, "exclusiveMinimum"],
    ["exclusiveMaximum", true, "exclusiveMaximum"],
    ["multipleOf", 0.5, "multipleOf"],
    ["minLength", 1, "minLength"],
    ["maxLength", 2n ** 60n, "maxLength"],
    ["minItems", 3, "minItems"],
    ["maxItems", 4, "maxItems"],
    ["minProperties", 5, "minProperties"],
    ["maxProperties", 6, "maxProperties"],
    ["additionalProperties", false, "additionalProperties"],
    ["x-kubernetes-int-or-string", true, "intOrString"],
    ["x-kubernetes-preserve-unknown-fields", true, "preserveUnknownFields"],
    ["x-kubernetes-embedded-resource", true, "embeddedResource"],
    ["x-kubernetes-list-type", "map", "listType"],
    ["x-kubernetes-list-map-keys", ["k"], "listMapKeys"],
    ["x-kubernetes-map-type", "atomic", "mapType"],
    // Empty values have no meaning.
    ["enum", [], "enum", undefined],
    ["type", "", "type", undefined],
    ["format", "", "format", undefined],
    ["pattern", "", "pattern", undefined],
    // Null is as if it were not given.
    ["default", null, "default", undefined],
    ["minimum", null, "minimum", undefined],
  ];
  const cases = KEYWORDS.map(([keyword, value, field, ...meant]) => ({ keyword, value, field, meant }));
  test.each(cases)("$keyword: $value", ({ keyword, value, field, meant }) => {
    const { schema, faults } = readSchema({ [keyword]: value });
    expect(schema[field]).toEqual(meant.length > 0 ? meant[0] : value);
    expect(faults).toEqual([]);
  });

  test("schemas in schemas, each with its place", () => {
    const { schema, faults } = readSchema({
      properties: { "a.b": { items: { additionalProperties: { type: "integer" } } }, none: null as Json },
      allOf: [{ type: "object" }, { not: { required: ["x"] } }],
      anyOf: [{ minProperties: 1 }],
      oneOf: [{ maxProperties: 1 }],
    });
    expect(faults).toEqual([]);
    const items = property(schema, "a.b").items as Schema;
    expect(items.at).toEqual(["properties", "a.b", "items"]);
    expect(items.additionalProperties).toMatchObject({
      type: "integer",
      at: ["properties", "a.b", "items", "additionalProperties"],
    });
    expect(property(schema, "none").at).toEqual(["properties", "none"]);
    expect(schema.allOf[1]?.not).toMatchObject({ required: ["x"], at: ["allOf", 1, "not"] });
    expect(schema.anyOf[0]).toMatchObject({ minProperties: 1, at: ["anyOf", 0] });
    expect(schema.oneOf[0]).toMatchObject({ maxProperties: 1, at: ["oneOf", 0] });
  });

  test("validation rules", () => {
    const rule = { rule: "self > 1", message: "m", messageExpression: "e", reason: "r", fieldPath: ".a" };
    const { schema } = readSchema({
      "x-kubernetes-validations": [
        { ...rule, optionalOldSelf: true },
        { rule: "true", message: "" },
      ],
    });
    const nothing = { message: undefined, messageExpression: undefined, reason: undefined, fieldPath: undefined };
    expect(schema.validations).toEqual([
      { ...rule, optionalOldSelf: true },
      { rule: "true", ...nothing, optionalOldSelf: false },
    ]);
  });

  test("documentation of any type is ignored; unknown keywords are kept", () => {
    const { schema, faults } = readSchema({
      description: 1,
      title: "t",
      example: {},
      externalDocs: { url: "u" },
      $comment: "c",
      $schema: "s",
      "x-mine": { a: 1 },
    });
    expect([...schema.other]).toEqual([["x-mine", { a: 1 }]]);
    expect(faults).toEqual([]);
  });

  test("names that objects inherit are names as any other", () => {
    const { schema } = readSchema(
      JSON.parse('{"properties":{"__proto__":{"type":"string"},"toString":{}},"constructor":1}'),
    );
    expect(property(schema, "__proto__").type).toBe("string");
    expect(schema.properties.size).toBe(2);
    expect([...schema.other]).toEqual([["constructor", 1]]);
  });
});

describe("what cannot be used", () => {
  test.each([
    "$ref",
    "id",
    "additionalItems",
    "patternProperties",
    "definitions",
    "dependencies",
    "deprecated",
    "discriminator",
    "readOnly",
    "writeOnly",
    "xml",
  ])("%s is not allowed", (keyword) => {
    expect(faultsOf({ properties: { a: { [keyword]: {} } } })).toEqual([
      `not-allowed properties/a/${keyword}: ${keyword} is not allowed; it was left out`,
    ]);
  });

  test("a reference to itself is not followed", () => {
    const { schema, faults } = readSchema({ properties: { a: { $ref: "#" } } });
    expect(faults).toHaveLength(1);
    expect(property(schema, "a").properties.size).toBe(0);
  });

  test.each<[JsonObject, string]>([
    [{ type: "null" }, "not-allowed type: type null is not allowed, say nullable"],
    [{ items: [{}] }, "not-allowed items: a schema for each position is not allowed"],
    [{ uniqueItems: true }, "not-allowed uniqueItems: uniqueItems is not allowed, say x-kubernetes-list-type: set"],
    [
      { properties: { a: {} }, additionalProperties: {} },
      "not-allowed additionalProperties: properties and additionalProperties are not allowed together",
    ],
    [{ type: ["string"] }, "wrong-shape type: type must be text, but is a list; it was left out"],
    [{ properties: [] }, "wrong-shape properties: properties must be an object, but is a list; it was left out"],
    [{ required: [1] }, "wrong-shape required: required must be a list of texts, but is a list; it was left out"],
    [{ nullable: "yes" }, "wrong-shape nullable: nullable must be true or false, but is text; it was left out"],
    [{ minimum: "1" }, "wrong-shape minimum: minimum must be a number, but is text; it was left out"],
    [{ minLength: 1.5 }, "wrong-shape minLength: minLength must be a whole number, but is a number; it was left out"],
    [{ enum: {} }, "wrong-shape enum: enum must be a list, but is an object; it was left out"],
    [{ allOf: {} }, "wrong-shape allOf: allOf must be a list of schemas, but is an object; it was left out"],
    [{ not: [] }, "wrong-shape not: not must be a schema, but is a list; it was left out"],
    [{ oneOf: [1] }, "wrong-shape oneOf/0: a schema must be an object, but is a number; it was left out"],
    [
      { "x-kubernetes-validations": [{ rule: "true" }, {}] },
      "wrong-shape x-kubernetes-validations/1: a validation rule must be an object with the text rule; it was left out",
    ],
  ])("%j", (json, fault) => {
    expect(faultsOf(json)).toEqual([fault]);
  });

  test("additionalProperties that allows everything may stand beside properties", () => {
    expect(faultsOf({ properties: { a: {} }, additionalProperties: true })).toEqual([]);
  });

  test("a keyword of the wrong type leaves the others as they are", () => {
    expect(readSchema({ type: "string", minLength: "1", maxLength: 3 }).schema).toMatchObject({
      type: "string",
      minLength: undefined,
      maxLength: 3,
    });
  });

  test("a pattern that is no RE2 is kept, and named each time", () => {
    const { schema, faults } = readSchema({ properties: { a: { pattern: "(?=x)" }, b: { pattern: "(?=x)" } } });
    expect(faults.map(({ kind, at }) => [kind, at.join("/")])).toEqual([
      ["bad-pattern", "properties/a/pattern"],
      ["bad-pattern", "properties/b/pattern"],
    ]);
    expect(property(schema, "a").pattern).toBe("(?=x)");
  });
});

describe("limits", () => {
  test("as deep as it may be", () => {
    expect(readSchema(nested(MAX_LEVELS, { type: "string" })).faults).toEqual([]);
  });

  test("deeper: the node accepts everything, and its place is reported", () => {
    const { schema, faults } = readSchema(nested(MAX_LEVELS + 100, { type: "string" }));
    expect(faults.map(({ kind, at }) => [kind, at.length])).toEqual([["too-deep", 2 * MAX_LEVELS]]);
    let node = schema;
    for (let level = 0; level < MAX_LEVELS; level++) node = property(node, "a");
    expect(node).toMatchObject({ preserveUnknownFields: true, type: undefined });
    expect(node.properties.size).toBe(0);
  });

  test("more nodes than the limit: reported once, the rest accepts everything", () => {
    const wide = Object.fromEntries(
      Array.from({ length: MAX_NODES + 5 }, (_, index) => [`a${index}`, { type: "string" }]),
    );
    const { schema, faults } = readSchema({ properties: wide });
    expect(faults.map(({ kind, at }) => `${kind} ${at.join("/")}`)).toEqual([`too-large properties/a${MAX_NODES - 1}`]);
    expect(property(schema, `a${MAX_NODES - 2}`).type).toBe("string");
    expect(property(schema, `a${MAX_NODES + 4}`)).toMatchObject({ type: undefined, preserveUnknownFields: true });
  });

  test("at most a thousand faults are reported", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`a${index}`, { $ref: "" }]));
    const { faults } = readSchema({ properties: many });
    expect(faults).toHaveLength(1001);
    expect(faults.at(-1)).toMatchObject({ kind: "too-large" });
  });

  test("patterns that take long to compile are looked at until it is enough", () => {
    const many = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`a${index}`, { pattern: `((a{10}){10}){9}${index}` }]),
    );
    const { faults } = readSchema({ properties: many });
    expect(faults.map(({ kind }) => kind)).toEqual(["too-large"]);
  });
});
