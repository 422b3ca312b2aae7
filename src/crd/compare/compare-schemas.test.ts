// Follows crdify v0.6.0 (validations/property, checkUnhandled), OLM cases N04 to N14; Kubernetes' defaulting and pruning
// from apiextensions-apiserver v0.36.3.

import { describe, expect, test } from "vitest";
import { compareSchemas } from "../../../test/crd/in-words.ts";
import type { JsonObject } from "../../model/json.ts";
import { readSchema } from "../schema/read-schema.ts";

function compare(before: JsonObject, after: JsonObject): ReturnType<typeof compareSchemas> {
  return compareSchemas(readSchema(before).schema, readSchema(after).schema);
}

function differenceLines(before: JsonObject, after: JsonObject): readonly string[] {
  return compare(before, after).map(({ code, path, effect, message }) => `${code} ${path} ${effect}: ${message}`);
}

/** Differences of one field of the spec. */
function fieldDifferences(before: JsonObject, after: JsonObject): readonly string[] {
  const inSpec = (field: JsonObject): JsonObject => ({ properties: { spec: { properties: { x: field } } } });
  return differenceLines(inSpec(before), inSpec(after)).map((line) => line.replace(" .spec.x ", " "));
}

type Case = readonly [before: JsonObject, after: JsonObject, ...expected: readonly string[]];

describe("each keyword", () => {
  const CASES: readonly Case[] = [
    // N06
    [{ type: "boolean" }, { type: "string" }, "CRD201 tighter: must now be of type string (was boolean)"],
    [{ type: "integer" }, { type: "number" }, "CRD201 looser: may now be of type number (was integer)"],
    [{ type: "number" }, { type: "integer" }, "CRD201 tighter: must now be of type integer (was number)"],
    [{ type: "string" }, {}, "CRD201 looser: may now be of any type (was string)"],
    [{}, { type: "string" }, "CRD201 tighter: must now be of type string (was of any type)"],
    [
      {},
      { type: "string", minLength: 1 },
      "CRD201 tighter: must now be of type string (was of any type)",
      "CRD204 tighter: must now have at least 1 character",
    ],
    // N08, and crdify refuses that an enum goes as it refuses that its values go
    [{}, { enum: ["b", "a"] }, 'CRD203 tighter: must now be one of "a", "b"'],
    [
      { enum: ["dog", "disc", "band"] },
      { enum: ["band", "disc"] },
      'CRD203 tighter: "dog" can no longer be chosen; allowed are "band", "disc"',
    ],
    [{ enum: ["a"] }, { enum: ["b", "a"] }],
    [{ enum: ["a"] }, {}, 'CRD203 looser: may now be any value (was one of "a")'],
    // N09
    [{}, { minimum: 3 }, "CRD204 tighter: must now be at least 3"],
    [{ minimum: 1 }, { minimum: 3 }, "CRD204 tighter: must now be at least 3 (was 1)"],
    [{ minimum: 3 }, { minimum: 1 }],
    [{ minimum: 3 }, {}],
    [{}, { minLength: 1 }, "CRD204 tighter: must now have at least 1 character"],
    [{ minLength: 1 }, { minLength: 2 }, "CRD204 tighter: must now have at least 2 characters (was 1)"],
    [{ minItems: 1 }, { minItems: 2 }, "CRD204 tighter: must now have at least 2 items (was 1)"],
    [{ minProperties: 1 }, { minProperties: 2 }, "CRD204 tighter: must now have at least 2 keys (was 1)"],
    [{ minItems: 2 }, { minItems: 1 }],
    [{ minItems: 2 }, {}],
    // N10
    [{}, { maximum: 3 }, "CRD205 tighter: must now be at most 3"],
    [{ maximum: 3 }, { maximum: 1 }, "CRD205 tighter: must now be at most 1 (was 3)"],
    [{ maximum: 1 }, { maximum: 3 }],
    [{ maximum: 1 }, {}],
    [{}, { maxLength: 0 }, "CRD205 tighter: must now have at most 0 characters"],
    [{ maxItems: 3 }, { maxItems: 2 }, "CRD205 tighter: must now have at most 2 items (was 3)"],
    [{ maxProperties: 3 }, { maxProperties: 2 }, "CRD205 tighter: must now have at most 2 keys (was 3)"],
    [{ maxItems: 3 }, { maxItems: 4 }],
    [{ maxItems: 3 }, {}],
    [
      { maximum: 2n ** 60n + 1n },
      { maximum: 2n ** 60n },
      `CRD205 tighter: must now be at most ${2n ** 60n} (was ${2n ** 60n + 1n})`,
    ],
    // Bounds that are excluded themselves: crdify has no check, so every change is reported
    [
      { minimum: 1 },
      { minimum: 1, exclusiveMinimum: true },
      "CRD204 tighter: must now be greater than 1 (was at least 1)",
    ],
    [
      { minimum: 1, exclusiveMinimum: true },
      { minimum: 1 },
      "CRD204 looser: may now be at least 1 (was greater than 1)",
    ],
    [{ minimum: 1, exclusiveMinimum: true }, {}, "CRD204 looser: need no longer be greater than 1"],
    [
      { minimum: 1, exclusiveMinimum: true },
      { minimum: 2 },
      "CRD204 tighter: must now be at least 2 (was greater than 1)",
    ],
    [
      { minimum: 2 },
      { minimum: 1, exclusiveMinimum: true },
      "CRD204 looser: may now be greater than 1 (was at least 2)",
    ],
    [{ maximum: 1 }, { maximum: 1, exclusiveMaximum: true }, "CRD205 tighter: must now be less than 1 (was at most 1)"],
    [
      { maximum: 2, exclusiveMaximum: true },
      { maximum: 1, exclusiveMaximum: true },
      "CRD205 tighter: must now be less than 1 (was 2)",
    ],
    // crdify refuses every change of a pattern, also that it goes
    [{}, { pattern: "^a" }, 'CRD206 tighter: must now match "^a"'],
    [{ pattern: "^a" }, { pattern: "^b" }, 'CRD206 different: must now match "^b" (was "^a")'],
    [{ pattern: "^a" }, {}, 'CRD206 looser: need no longer match "^a"'],
    // and of a default
    [{}, { default: 1 }, "CRD207 different: the default is now 1 (there was none)"],
    [{ default: { a: 1 } }, { default: { a: 2 } }, 'CRD207 different: the default is now {"a":2} (was {"a":1})'],
    [{ default: false }, {}, "CRD207 different: there is no default any more (was false)"],
    // N12
    [{}, { nullable: true }, "CRD208 looser: null is now allowed"],
    [{ nullable: true }, {}, "CRD208 tighter: null is no longer allowed"],
    // Null is none of an enum, even of one that has it.
    [
      { enum: ["a"] },
      { enum: ["a", null], nullable: true },
      "CRD208 different: null is now kept instead of dropped, but is none of the enum",
    ],
    // N13
    [{}, { oneOf: [{ required: ["a"] }] }, 'CRD210 tighter: oneOf is new: {"required":["a"]}'],
    [{ oneOf: [{ type: "string" }] }, {}, 'CRD210 looser: oneOf is gone; it was {"type":"string"}'],
    [
      { oneOf: [{ type: "string" }] },
      { oneOf: [{ type: "string" }, { type: "integer" }] },
      'CRD210 different: oneOf now also has {"type":"integer"}',
    ],
    [
      { anyOf: [{ type: "string" }, { type: "object" }] },
      { anyOf: [{ type: "string" }] },
      'CRD210 tighter: anyOf no longer has {"type":"object"}',
    ],
    [
      { anyOf: [{ type: "string" }] },
      { anyOf: [{ type: "string" }, { type: "object" }] },
      'CRD210 looser: anyOf now also has {"type":"object"}',
    ],
    [
      { allOf: [{ minimum: 1 }] },
      { allOf: [{ minimum: 1 }, { maximum: 5 }] },
      'CRD210 tighter: allOf now also has {"maximum":5}',
    ],
    [
      { allOf: [{ minimum: 1 }, { maximum: 5 }] },
      { allOf: [{ minimum: 1 }] },
      'CRD210 looser: allOf no longer has {"maximum":5}',
    ],
    [
      { allOf: [{ minimum: 1 }] },
      { allOf: [{ minimum: 2 }] },
      'CRD210 different: allOf now also has {"minimum":2} and no longer has {"minimum":1}',
    ],
    [{}, { not: { type: "string" } }, 'CRD210 tighter: must now not be {"type":"string"}'],
    [{ not: {} }, {}, "CRD210 looser: may now be {}"],
    [
      { not: { minimum: 1 } },
      { not: { minimum: 2 } },
      'CRD210 different: must now not be {"minimum":2} (was {"minimum":1})',
    ],
    // From here on crdify has no check and refuses every change
    [{}, { additionalProperties: true }, "CRD211 looser: other keys may now have any value"],
    [
      {},
      { additionalProperties: { type: "string" } },
      'CRD211 looser: other keys are now allowed, with values that are {"type":"string"}',
    ],
    [{ additionalProperties: { type: "string" } }, {}, "CRD211 tighter: other keys are no longer kept"],
    [
      { additionalProperties: true },
      { additionalProperties: false },
      "CRD211 tighter: other keys are no longer allowed",
    ],
    [{ additionalProperties: false }, { additionalProperties: true }, "CRD211 looser: other keys are now allowed"],
    [{ additionalProperties: false }, {}, "CRD211 looser: other keys are no longer refused"],
    [
      { additionalProperties: {} },
      { additionalProperties: { type: "string" } },
      'CRD211 tighter: the values of other keys must now be {"type":"string"}',
    ],
    [
      { additionalProperties: { type: "string" } },
      { additionalProperties: true },
      "CRD211 looser: other keys may now have any value",
    ],
    [
      { additionalProperties: { type: "string" }, "x-kubernetes-preserve-unknown-fields": true },
      { "x-kubernetes-preserve-unknown-fields": true },
      "CRD211 looser: the values of other keys are no longer checked",
    ],
    [
      { "x-kubernetes-preserve-unknown-fields": true },
      { additionalProperties: { type: "string" }, "x-kubernetes-preserve-unknown-fields": true },
      'CRD211 tighter: the values of other keys must now be {"type":"string"}',
    ],
    [{}, { "x-kubernetes-list-type": "set" }, "CRD212 tighter: the list type is now set (was atomic)"],
    [
      { "x-kubernetes-list-type": "set" },
      { "x-kubernetes-list-type": "atomic" },
      "CRD212 looser: the list type is now atomic (was set)",
    ],
    [
      { "x-kubernetes-list-type": "set" },
      { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] },
      'CRD212 different: the list type is now map with the keys "a" (was set)',
    ],
    [
      { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] },
      { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["b", "a"] },
      'CRD212 different: items are now identified by "a", "b" (was "a")',
    ],
    [{}, { "x-kubernetes-map-type": "atomic" }, "CRD213 different: the map type is now atomic (was granular)"],
    [{}, { format: "date" }, 'CRD214 tighter: must now have the format "date"'],
    [{ format: "date" }, {}, 'CRD214 looser: need no longer have the format "date"'],
    [{ format: "date" }, { format: "uri" }, 'CRD214 different: must now have the format "uri" (was "date")'],
    [{ format: "int32" }, { format: "int64" }, 'CRD214 looser: may now have the format "int64" (was "int32")'],
    [{ format: "double" }, { format: "float" }, 'CRD214 tighter: must now have the format "float" (was "double")'],
    [
      {},
      { "x-kubernetes-preserve-unknown-fields": true },
      "CRD215 looser: fields that the schema does not name are now kept",
    ],
    [
      { "x-kubernetes-preserve-unknown-fields": true },
      {},
      "CRD215 tighter: fields that the schema does not name are no longer kept",
    ],
    [
      {},
      { "x-kubernetes-embedded-resource": true },
      "CRD216 tighter: must now be a Kubernetes object with apiVersion, kind and metadata",
    ],
    [
      { type: "integer" },
      { "x-kubernetes-int-or-string": true },
      "CRD217 looser: may now be of type integer or string (was integer)",
    ],
    [
      { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      { type: "string" },
      "CRD217 tighter: must now be of type string (was integer or string)",
    ],
    [{ "x-kubernetes-int-or-string": true }, {}, "CRD217 looser: may now be of any type (was integer or string)"],
    [
      { type: "number" },
      { "x-kubernetes-int-or-string": true },
      "CRD217 different: must now be of type integer or string (was number)",
    ],
    [
      { type: "object", properties: { a: {} } },
      { "x-kubernetes-int-or-string": true },
      "CRD201 tighter: must now be of type integer or string (was object)",
    ],
    [{}, { multipleOf: 2 }, "CRD219 tighter: must now be a multiple of 2"],
    [{ multipleOf: 4 }, { multipleOf: 2 }, "CRD219 looser: need only be a multiple of 2 (was 4)"],
    [{ multipleOf: 2 }, { multipleOf: 4 }, "CRD219 tighter: must now be a multiple of 4 (was 2)"],
    [{ multipleOf: 2 }, {}, "CRD219 looser: need no longer be a multiple of 2"],
    [{}, { uniqueItems: true }, "CRD220 tighter: the items must now differ from each other"],
    [{ uniqueItems: true }, {}, "CRD220 looser: the items need no longer differ from each other"],
    [{}, { "x-a": 1 }, 'CRD299 different: "x-a" is now 1 (was not there)'],
    [{ "x-a": 1 }, { "x-a": [2] }, 'CRD299 different: "x-a" is now [2] (was 1)'],
    [{ "x-a": 1 }, {}, 'CRD299 different: "x-a" is gone (was 1)'],
    [{}, { $ref: "#/a" }, 'CRD299 different: "$ref" is now "#/a" (was not there)'],
  ];
  const cases = CASES.map(([before, after, ...expected]) => ({ before, after, expected }));
  test.each(cases)("$before to $after", ({ before, after, expected }) => {
    expect(fieldDifferences(before, after)).toEqual(expected);
  });

  test("what is no longer read as a Kubernetes object", () => {
    expect(fieldDifferences({ "x-kubernetes-embedded-resource": true }, {})).toEqual([
      "CRD216 different: is no longer read as a Kubernetes object: its apiVersion, kind and metadata are fields as any other",
    ]);
  });
});

describe("schemas with the same meaning", () => {
  const CASES: readonly (readonly [JsonObject, JsonObject])[] = [
    [{ additionalProperties: true }, { additionalProperties: {} }],
    [{ additionalProperties: true }, { additionalProperties: { description: "any" } }],
    [{ minLength: 0, minItems: 0, minProperties: 0 }, {}],
    [{ nullable: false, uniqueItems: false, exclusiveMinimum: false }, {}],
    [{ default: null }, {}],
    [{ required: [], enum: [], properties: {}, allOf: [], "x-kubernetes-validations": [] }, {}],
    [{ type: "", format: "", pattern: "" }, {}],
    [{ items: {} }, {}],
    [{ exclusiveMinimum: true, exclusiveMaximum: true }, {}],
    [{ "x-kubernetes-list-type": "atomic" }, {}],
    [{ "x-kubernetes-map-type": "granular" }, {}],
    [{ "x-kubernetes-preserve-unknown-fields": false }, {}],
    [{ enum: [1, { a: 1, b: 2 }] }, { enum: [{ b: 2, a: 1 }, 1, 1] }],
    [{ required: ["a", "b"] }, { required: ["b", "a", "a"] }],
    [{ default: { a: 1, b: 2 } }, { default: { b: 2, a: 1 } }],
    [{ oneOf: [{ required: ["a", "b"] }, { enum: [1, 2] }] }, { oneOf: [{ enum: [2, 1] }, { required: ["b", "a"] }] }],
    [{ not: { minLength: 0, additionalProperties: {} } }, { not: { additionalProperties: true, description: "d" } }],
    [
      { "x-kubernetes-int-or-string": true },
      { "x-kubernetes-int-or-string": true, anyOf: [{ type: "string" }, { type: "integer" }] },
    ],
    [
      { "x-kubernetes-int-or-string": true, allOf: [{ pattern: "^a" }] },
      {
        "x-kubernetes-int-or-string": true,
        allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { pattern: "^a" }],
      },
    ],
    [{ "x-kubernetes-int-or-string": true }, { "x-kubernetes-int-or-string": true, type: "integer" }],
    [
      { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b"] },
      { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["b", "a"] },
    ],
    // The message for a violated rule, and the order of rules.
    [
      { "x-kubernetes-validations": [{ rule: "a", message: "m" }, { rule: "b" }] },
      { "x-kubernetes-validations": [{ rule: "b" }, { rule: "a ", message: "n", fieldPath: ".x" }] },
    ],
    // N14
    [
      { description: "a", title: "b", example: 1, externalDocs: { url: "u" } },
      { description: "c", $comment: "d" },
    ],
  ];
  test.each(CASES)("%o and %o", (before, after) => {
    expect(fieldDifferences(before, after)).toEqual([]);
    expect(fieldDifferences(after, before)).toEqual([]);
  });

  test.each<JsonObject>([
    { type: "string" },
    { format: "date" },
    { pattern: "a" },
    { nullable: true },
    { enum: [1] },
    { required: ["a"] },
    { minimum: 0 },
    { minimum: 0, exclusiveMinimum: true },
    { maximum: 0 },
    { maximum: 0, exclusiveMaximum: true },
    { multipleOf: 2 },
    { minLength: 1 },
    { maxLength: 0 },
    { minItems: 1 },
    { maxItems: 0 },
    { minProperties: 1 },
    { maxProperties: 0 },
    { uniqueItems: true },
    { properties: { a: { type: "string" } } },
    { properties: { a: {} } },
    { items: { type: "string" } },
    { additionalProperties: true },
    { additionalProperties: false },
    { additionalProperties: { type: "string" } },
    { allOf: [{ type: "string" }] },
    { anyOf: [{ type: "string" }] },
    { oneOf: [{ type: "string" }] },
    { not: {} },
    { "x-kubernetes-int-or-string": true },
    { "x-kubernetes-preserve-unknown-fields": true },
    { "x-kubernetes-embedded-resource": true },
    { "x-kubernetes-list-type": "set" },
    { "x-kubernetes-list-map-keys": ["a"] },
    { "x-kubernetes-map-type": "atomic" },
    { "x-kubernetes-validations": [{ rule: "true" }] },
    { "x-mine": false },
  ])("in a branch, %j has a meaning, and each a different one", (branch) => {
    expect(fieldDifferences({ not: {} }, { not: branch })).toHaveLength(1);
    expect(fieldDifferences({ not: { ...branch, description: "d" } }, { not: branch })).toEqual([]);
    const { exclusiveMinimum, exclusiveMaximum, ...bound } = branch;
    if (exclusiveMinimum || exclusiveMaximum) expect(fieldDifferences({ not: bound }, { not: branch })).toHaveLength(1);
  });

  test("in a branch, lower bounds of 0 and unrestricted items have no meaning", () => {
    expect(fieldDifferences({ not: {} }, { not: { minLength: 0, minItems: 0, minProperties: 0, items: {} } })).toEqual(
      [],
    );
  });

  test("an empty default, a default of false and of an empty list have a meaning in a branch", () => {
    for (const value of [{}, [], false])
      expect(fieldDifferences({ oneOf: [{ default: value }] }, { oneOf: [{}] })).toHaveLength(1);
  });

  test("a branch that is there twice is not the same as once", () => {
    expect(fieldDifferences({ oneOf: [{ minimum: 1 }, { minimum: 1 }] }, { oneOf: [{ minimum: 1 }] })).toEqual([
      'CRD210 different: oneOf no longer has {"minimum":1}',
    ]);
  });
});
