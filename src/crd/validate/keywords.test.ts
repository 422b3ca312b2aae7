// Each keyword: what is wrong with an object. Verdicts that surprise are those of Kubernetes' apiextensions-apiserver
// v0.37.2 on the same schema and object.

import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../model/json.ts";
import { printPath } from "../../model/place.ts";
import { readSchema } from "../schema/read-schema.ts";
import { validatorFor } from "./validator-for.ts";

/** What is wrong with a value under a schema: `keyword` where it is the value itself, `path: keyword` below it. */
function faults(schema: JsonObject, value: Json): string[] {
  const root: JsonObject = { type: "object", properties: { v: schema } };
  const validator = validatorFor(readSchema(root).schema, { preserveUnknownFields: true, celCostLimit: 1_000_000 });
  const verdict = validator.validate({ v: value });
  expect(verdict.undecided).toBeUndefined();
  expect(verdict.object).toEqual({ v: value });
  return verdict.faults.map(({ path, keyword }) => {
    const below = printPath(path.slice(1));
    return below === "" ? keyword : `${below}: ${keyword}`;
  });
}

type Case = readonly [name: string, schema: JsonObject, value: Json, faults: readonly string[]];

const TYPES: readonly Case[] = [
  ["a text", { type: "string" }, "a", []],
  ["no text", { type: "string" }, 1, ["type"]],
  ["an object", { type: "object" }, { a: 1 }, []],
  ["a list is no object", { type: "object" }, [], ["type"]],
  ["a list", { type: "array" }, [1], []],
  ["an object is no list", { type: "array" }, {}, ["type"]],
  ["true", { type: "boolean" }, true, []],
  ["a text is not true", { type: "boolean" }, "true", ["type"]],
  ["an integer", { type: "integer" }, 1, []],
  ["1.0 and 1e3 are integers", { type: "integer" }, 1e3, []],
  ["a fraction is no integer", { type: "integer" }, 1.5, ["type"]],
  ["a fraction next to an integer is none", { type: "integer" }, 3.0000000001, ["type"]],
  ["an integer beyond 2^53 written out", { type: "integer" }, 9007199254740993n, []],
  ["an integer beyond 2^53 written as a double", { type: "integer" }, 1e16, ["type"]],
  ["the largest integer", { type: "integer" }, 9223372036854775807n, []],
  ["an integer beyond 64 bits", { type: "integer" }, 9223372036854775808n, ["type"]],
  ["a number", { type: "number" }, 1.5, []],
  ["an integer is a number", { type: "number" }, 1, []],
  ["any integer is a number", { type: "number" }, 9223372036854775808n, []],
  ["a text is no number", { type: "number" }, "1", ["type"]],
  ["an unknown type takes nothing", { type: "file" }, "a", ["type"]],
  ["no type takes everything", {}, { a: [1] }, []],
  ["int-or-string: an integer", { "x-kubernetes-int-or-string": true }, 1, []],
  ["int-or-string: a text", { "x-kubernetes-int-or-string": true }, "80%", []],
  ["int-or-string: no fraction", { "x-kubernetes-int-or-string": true }, 1.5, ["type"]],
  ["int-or-string: a fraction next to an integer", { "x-kubernetes-int-or-string": true }, 3.0000000001, []],
  ["int-or-string: no list", { "x-kubernetes-int-or-string": true }, [], ["type"]],
  ["null", { type: "string", nullable: true }, null, []],
  ["null without nullable", { type: "string" }, null, ["type"]],
  ["null without a type", {}, null, []],
  [
    "null is asked nothing but type and enum",
    { nullable: true, type: "object", anyOf: [{ required: ["a"] }] },
    null,
    [],
  ],
  ["a format of texts overlooks lists", { type: "string", format: "date" }, [1], []],
  ["a format without a type wants texts", { format: "date" }, 1, ["type"]],
];

const VALUES: readonly Case[] = [
  ["enum", { enum: ["a", 1, { b: [1, { c: null }] }] }, { b: [1, { c: null }] }, []],
  ["enum: the order of keys does not count", { enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, []],
  ["enum: another value", { enum: ["a", 1] }, "b", ["enum"]],
  ["enum: a text is no number", { enum: [1] }, "1", ["enum"]],
  ["enum: a list is not its text", { enum: ["[1,]", "\0 [1,]"] }, [1], ["enum"]],
  ["enum: never null", { type: "string", nullable: true, enum: ["a", null] }, null, ["enum"]],
  ["enum: fractions are cut off", { type: "number", enum: [1] }, 1.5, []],
  ["enum: but not those of the enum", { type: "number", enum: [1.5] }, 1, ["enum"]],
  ["pattern: anywhere", { type: "string", pattern: "b+" }, "abc", []],
  ["pattern: nowhere", { type: "string", pattern: "^b+$" }, "abc", ["pattern"]],
  ["pattern: one that is none is not asked", { type: "string", pattern: "(" }, "abc", []],
  ["pattern: only of texts", { pattern: "a" }, 1, []],
  ["format: of texts", { type: "string", format: "ipv4" }, "1.2.3", ["format"]],
  ["format: hyphens in its name", { type: "string", format: "date-time" }, "now", ["format"]],
  ["format: unknown", { type: "string", format: "colour" }, "?", []],
  ["format: of another type", { type: "boolean", format: "date" }, true, []],
  ["format: int32", { type: "integer", format: "int32" }, 2147483647, []],
  ["format: int32, too large", { type: "integer", format: "int32" }, 2147483648, ["format"]],
  ["format: int32, too small", { type: "integer", format: "int32" }, -2147483649, ["format"]],
  ["format: int64", { type: "integer", format: "int64" }, 9223372036854775807n, []],
  ["format: float", { type: "number", format: "float" }, 3e38, []],
  ["format: float, too large", { type: "number", format: "float" }, 4e38, ["format"]],
  ["format: double", { type: "number", format: "double" }, 1e300, []],
  ["format: int32 does not restrict numbers", { type: "number", format: "int32" }, 2147483648, []],
  ["format: of int-or-string", { "x-kubernetes-int-or-string": true, format: "date" }, "x", ["format"]],
  ["minLength: characters, not bytes or units", { type: "string", minLength: 2 }, "😀", ["minLength"]],
  ["minLength", { type: "string", minLength: 2 }, "😀😀", []],
  ["maxLength", { type: "string", maxLength: 2 }, "😀😀", []],
  ["maxLength: too long", { type: "string", maxLength: 1 }, "😀😀", ["maxLength"]],
];

const NUMBERS: readonly Case[] = [
  ["minimum", { minimum: 2 }, 2, []],
  ["minimum: too small", { minimum: 2 }, 1, ["minimum"]],
  ["minimum: exclusive", { minimum: 2, exclusiveMinimum: true }, 2, ["minimum"]],
  ["minimum: exclusive, larger", { minimum: 2, exclusiveMinimum: true }, 2.5, []],
  ["maximum", { maximum: 2 }, 2, []],
  ["maximum: too large", { maximum: 2 }, 2.5, ["maximum"]],
  ["maximum: exclusive", { maximum: 2, exclusiveMaximum: true }, 2, ["maximum"]],
  ["maximum: exclusive, smaller", { maximum: 2, exclusiveMaximum: true }, 1, []],
  ["bounds are only of numbers", { maximum: 2, minimum: 1, multipleOf: 2 }, "3", []],
  ["integers beyond 2^53 are compared exactly", { maximum: 9007199254740992 }, 9007199254740993n, ["maximum"]],
  ["and within", { maximum: 9007199254740994 }, 9007199254740993n, []],
  ["a bound loses its fraction for integers", { minimum: 1.5 }, 1, []],
  ["below zero, too", { minimum: -1.5 }, -2, ["minimum"]],
  ["but not for fractions", { minimum: 1.5 }, 1.2, ["minimum"]],
  ["a bound that is no integer", { type: "integer", minimum: 0.5 }, 1, ["minimum"]],
  ["a bound beyond 64 bits", { type: "integer", maximum: 9223372036854775807n }, 1, ["maximum"]],
  ["a bound beyond the format", { type: "integer", format: "int32", maximum: 2147483648 }, 1, ["maximum"]],
  ["multipleOf", { multipleOf: 3 }, 9, []],
  ["multipleOf: not", { multipleOf: 3 }, 10, ["multipleOf"]],
  ["multipleOf: beyond 2^53", { multipleOf: 2 }, 9007199254740993n, ["multipleOf"]],
  ["multipleOf: 0.3 is a multiple of 0.1", { multipleOf: 0.1 }, 0.3, []],
  ["multipleOf: 0.35 is none", { multipleOf: 0.1 }, 0.35, ["multipleOf"]],
  ["multipleOf: 7.5 of 2.5", { multipleOf: 2.5 }, 7.5, []],
  ["multipleOf: loses its fraction for integers", { multipleOf: 2.5 }, 5, ["multipleOf"]],
  ["multipleOf: so that nothing may be left", { multipleOf: 0.1 }, 1, ["multipleOf"]],
  ["multipleOf: never negative", { multipleOf: -1 }, 2.5, ["multipleOf"]],
];

const MEMBERS = { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } } as const;

const COLLECTIONS: readonly Case[] = [
  ["properties", MEMBERS, { a: "x", b: 1 }, []],
  ["properties: wrong ones", MEMBERS, { b: "x", a: 1 }, ["a: type", "b: type"]],
  ["properties: only own ones", { properties: { toString: { type: "string" } } }, {}, []],
  [
    "properties: any name",
    { properties: { ["__proto__"]: { type: "string" } } },
    JSON.parse('{"__proto__":1}'),
    ["__proto__: type"],
  ],
  ["required", { required: ["a", "b"] }, { a: null }, ["b: required"]],
  ["required: own", { required: ["toString"] }, {}, ["toString: required"]],
  ["required: only of objects", { required: ["a"] }, [], []],
  ["minProperties", { minProperties: 2 }, { a: 1 }, ["minProperties"]],
  ["maxProperties", { maxProperties: 1 }, { a: 1, b: 2 }, ["maxProperties"]],
  ["min and maxProperties", { minProperties: 1, maxProperties: 1 }, { a: 1 }, []],
  ["additionalProperties", { additionalProperties: { type: "string" } }, { a: "x", b: 1 }, ["b: type"]],
  [
    "additionalProperties: none",
    { additionalProperties: false, properties: { a: {} } },
    { a: 1, b: 1 },
    ["b: additionalProperties"],
  ],
  ["additionalProperties: any", { additionalProperties: true }, { a: 1 }, []],
  [
    "both",
    { properties: { a: { type: "integer" } }, additionalProperties: { type: "string" } },
    { a: 1, b: 2 },
    ["b: type"],
  ],
  ["items", { items: { type: "string" } }, ["a", 1, "b", 2], ["[1]: type", "[3]: type"]],
  ["minItems", { minItems: 2 }, [1], ["minItems"]],
  ["maxItems", { maxItems: 1 }, [1, 2], ["maxItems"]],
  ["uniqueItems", { uniqueItems: true }, [1, "1", [1], { a: 1 }, null, false], []],
  [
    "uniqueItems: twice",
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    ["uniqueItems"],
  ],
];

const CHOICES: readonly Case[] = [
  ["allOf", { allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, []],
  ["allOf: each fault where it is", { allOf: [{ minimum: 3 }, { maximum: 1 }] }, 2, ["minimum", "maximum"]],
  ["anyOf", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }, { b: 1 }, []],
  ["anyOf: none", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }, { c: 1 }, ["anyOf"]],
  ["oneOf", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }, { b: 1 }, []],
  ["oneOf: none", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }, {}, ["oneOf"]],
  ["oneOf: two", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }, { a: 1, b: 1 }, ["oneOf"]],
  ["not", { not: { required: ["a"] } }, { b: 1 }, []],
  ["not: but it is", { not: { required: ["a"] } }, { a: 1 }, ["not"]],
  ["in each other", { not: { anyOf: [{ not: { minimum: 5 } }, { enum: [7] }] } }, 6, []],
  ["in each other: not", { not: { anyOf: [{ not: { minimum: 5 } }, { enum: [7] }] } }, 7, ["not"]],
];

const SET = { type: "array", "x-kubernetes-list-type": "set", items: {} } as const;
const PORTS = {
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["port", "protocol"],
  items: { type: "object", properties: { port: {}, protocol: {} } },
} as const;
const ONE_KEY = { ...PORTS, "x-kubernetes-list-map-keys": ["port"] } as const;

const LIST_TYPES: readonly Case[] = [
  ["set", SET, [1, "1", true, null, { a: 1 }, { a: 2 }, [1], "[1,]"], []],
  [
    "set: reported once for each value",
    SET,
    ["a", "b", "a", "a", "b"],
    ["[2]: x-kubernetes-list-type", "[4]: x-kubernetes-list-type"],
  ],
  ["set: null twice", SET, [null, null], ["[1]: x-kubernetes-list-type"]],
  [
    "set: objects",
    SET,
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    ["[1]: x-kubernetes-list-type"],
  ],
  [
    "map",
    PORTS,
    [
      { port: 1, protocol: "a" },
      { port: 1, protocol: "b" },
      { port: "1", protocol: "a" },
    ],
    [],
  ],
  [
    "map: the same keys",
    PORTS,
    [
      { port: 1, protocol: "a", x: 1 },
      { port: 1, protocol: "a", x: 2 },
    ],
    ["[1]: x-kubernetes-list-type"],
  ],
  ["map: absent keys are keys", PORTS, [{ port: 1 }, { port: 1 }], ["[1]: x-kubernetes-list-type"]],
  ["map: an absent key is not null", PORTS, [{ port: 1 }, { port: 1, protocol: null }], []],
  ["map: one key", ONE_KEY, [{ port: 1 }, { port: 2 }, { port: 1 }], ["[2]: x-kubernetes-list-type"]],
  ["map: null is an object without keys", { ...ONE_KEY, items: {} }, [null, {}], ["[1]: x-kubernetes-list-type"]],
  ["map: only objects", { ...ONE_KEY, items: {} }, [1, 2], ["[0]: x-kubernetes-list-type"]],
  ["atomic", { ...SET, "x-kubernetes-list-type": "atomic" }, [1, 1], []],
  ["not below alternatives", { allOf: [SET] }, [1, 1], []],
];

const EMBEDDED = { type: "object", "x-kubernetes-embedded-resource": true } as const;
const RESOURCE = "x-kubernetes-embedded-resource";

const RESOURCES: readonly Case[] = [
  [
    "an embedded resource",
    EMBEDDED,
    { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "A b", labels: { a: "b" } } },
    [],
  ],
  ["without metadata", EMBEDDED, { apiVersion: "v1", kind: "Pod" }, []],
  ["without its kind", EMBEDDED, {}, [`apiVersion: ${RESOURCE}`, `kind: ${RESOURCE}`]],
  ["with empty ones", EMBEDDED, { apiVersion: "", kind: "" }, [`apiVersion: ${RESOURCE}`, `kind: ${RESOURCE}`]],
  ["with wrong ones", EMBEDDED, { apiVersion: "a/b/c", kind: "P-" }, [`apiVersion: ${RESOURCE}`, `kind: ${RESOURCE}`]],
  [
    "with numbers",
    EMBEDDED,
    { apiVersion: 1, kind: 2, metadata: 3 },
    [`apiVersion: ${RESOURCE}`, `kind: ${RESOURCE}`, `metadata: ${RESOURCE}`],
  ],
  [
    "labels are texts",
    EMBEDDED,
    { apiVersion: "v1", kind: "P", metadata: { labels: { a: 1 } } },
    [`metadata.labels.a: ${RESOURCE}`],
  ],
  [
    "keys of labels",
    EMBEDDED,
    { apiVersion: "v1", kind: "P", metadata: { labels: { "a b": "c" } } },
    [`metadata.labels["a b"]: ${RESOURCE}`],
  ],
  [
    "values of labels",
    EMBEDDED,
    { apiVersion: "v1", kind: "P", metadata: { labels: { a: "b c" } } },
    [`metadata.labels.a: ${RESOURCE}`],
  ],
  [
    "keys of annotations",
    EMBEDDED,
    { apiVersion: "v1", kind: "P", metadata: { annotations: { "a/b/c": "" } } },
    [`metadata.annotations["a/b/c"]: ${RESOURCE}`],
  ],
  [
    "everything else",
    EMBEDDED,
    {
      apiVersion: "v1",
      kind: "P",
      metadata: {
        name: "a/b",
        namespace: "A",
        generation: -1,
        creationTimestamp: "now",
        finalizers: ["x y"],
        ownerReferences: [{}],
      },
    },
    [
      "creationTimestamp",
      "finalizers[0]",
      "generation",
      "name",
      "namespace",
      ...["apiVersion", "kind", "name", "uid"].map((name) => `ownerReferences[0].${name}`),
    ].map((path) => `metadata.${path}: ${RESOURCE}`),
  ],
  [
    "nulls are empty",
    EMBEDDED,
    { apiVersion: "v1", kind: "P", metadata: { labels: null, creationTimestamp: null, finalizers: [null] } },
    [`metadata.finalizers[0]: ${RESOURCE}`],
  ],
];

describe.each([
  ["types", TYPES],
  ["values", VALUES],
  ["numbers", NUMBERS],
  ["objects and lists", COLLECTIONS],
  ["choices", CHOICES],
  ["types of lists", LIST_TYPES],
  ["embedded resources", RESOURCES],
] as const)("%s", (_name, cases) => {
  test.each(cases)("%s", (_case, schema, value, expected) => {
    expect(faults(schema, value)).toEqual(expected);
  });
});
