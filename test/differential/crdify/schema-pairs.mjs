// Which changes of a schema is OLM v1 asked about? Mostly one change each. Ids such as N05 are those of OLM cases.
import { bound, field, INTEGER, KEEP, keyword, list, map, object, STRING, specs, TEXT, whole } from "./definition.mjs";

const FIELDS = [
  specs("field removal: field removed", object({ x: STRING, y: STRING }), object({ x: STRING })),
  specs("field removal: object field removed", object({ x: STRING, y: object({ z: STRING }) }), object({ x: STRING })),
  specs(
    "field removal: field removed, unknown ones kept",
    object({ x: STRING, y: STRING }, KEEP),
    object({ x: STRING }, KEEP),
  ),
  specs(
    "field removal: field of list items removed",
    object({ l: list(object({ x: STRING, y: STRING })) }),
    object({ l: list(object({ x: STRING })) }),
  ),
  specs(
    "field removal: field of map values removed",
    object({ m: map(object({ x: STRING, y: STRING })) }),
    object({ m: map(object({ x: STRING })) }),
  ),
  specs("field removal: field renamed", object({ x: STRING }), object({ y: STRING })),
  specs(
    "field removal: required field removed",
    object({ x: STRING, y: STRING }, { required: ["y"] }),
    object({ x: STRING }),
  ),
  whole(
    "field removal: spec removed",
    object({ spec: object({ x: STRING }), status: object({}) }),
    object({ status: object({}) }),
  ),
  specs(
    "field removal: field with enum, bounds and default removed",
    object({ x: { ...STRING, enum: ["a"], minLength: 1, default: "a", nullable: true, pattern: "a", format: "date" } }),
    object({}),
  ),
  specs("N04: optional field added", object({ x: STRING }), object({ x: STRING, y: STRING })),
  specs(
    "N04: optional field with default added",
    object({ x: STRING }),
    object({ x: STRING, y: { ...STRING, default: "a" } }),
  ),
  specs(
    "N04: optional object with required field added",
    object({ x: STRING }),
    object({ x: STRING, y: object({ z: STRING }, { required: ["z"] }) }),
  ),
  specs(
    "N04: items get a field",
    object({ l: list(object({ x: STRING })) }),
    object({ l: list(object({ x: STRING, y: STRING })) }),
  ),
  specs("N05: required added", object({ x: STRING }), object({ x: STRING }, { required: ["x"] })),
  specs("N05: required removed", object({ x: STRING }, { required: ["x"] }), object({ x: STRING })),
  specs("N05: new field is required", object({ x: STRING }), object({ x: STRING, y: STRING }, { required: ["y"] })),
  specs(
    "N05: new field is required and has a default",
    object({ x: STRING }),
    object({ x: STRING, y: { ...STRING, default: "a" } }, { required: ["y"] }),
  ),
  specs(
    "N05: another one is required",
    object({ x: STRING, y: STRING }, { required: ["x"] }),
    object({ x: STRING, y: STRING }, { required: ["y"] }),
  ),
  specs(
    "N05: required in another order",
    object({ x: STRING, y: STRING }, { required: ["x", "y"] }),
    object({ x: STRING, y: STRING }, { required: ["y", "x"] }),
  ),
  specs(
    "N05: required in list items",
    object({ l: list(object({ x: STRING })) }),
    object({ l: list(object({ x: STRING }, { required: ["x"] })) }),
  ),
  whole("N05: spec required", TEXT, { ...TEXT, required: ["spec"] }),
];
const TYPES = [
  field("N06: boolean to string", { type: "boolean" }, STRING),
  field("N06: integer to number", INTEGER, { type: "number" }),
  field("N06: number to integer", { type: "number" }, INTEGER),
  field("N06: string to object", STRING, object({ y: STRING })),
  field("N06: object to string", object({ y: STRING }), STRING),
  field("N06: string to list", STRING, list(STRING)),
  field("N06: type of items", list(STRING), list(INTEGER)),
  field("N06: type of map values", map(STRING), map(INTEGER)),
  field("N06: type of a field of items", list(object({ y: STRING })), list(object({ y: INTEGER }))),
  field("N06: object to map", object({ y: STRING }), map(STRING)),
  field("N06: integer to int-or-string", INTEGER, { "x-kubernetes-int-or-string": true }),
  field("N06: int-or-string to string", { "x-kubernetes-int-or-string": true }, STRING),
  field("N06: string to anything", STRING, KEEP),
];
const DEFAULTS = [
  ...keyword("default", STRING, "default", "a", "b"),
  field(
    "default: default of an object changed",
    object({ y: STRING }, { default: { y: "a" } }),
    object({ y: STRING }, { default: { y: "b" } }),
  ),
  field(
    "default: default in another order of keys",
    object({ y: STRING, z: STRING }, { default: { y: "a", z: "b" } }),
    object({ y: STRING, z: STRING }, { default: { z: "b", y: "a" } }),
  ),
  field("default: default in items", list(object({ y: STRING })), list(object({ y: { ...STRING, default: "a" } }))),
  field("default: default false added", { type: "boolean" }, { type: "boolean", default: false }),
];
const ENUMS = [
  field("N08: enum added", STRING, { ...STRING, enum: ["a"] }),
  field("N08: value removed", { ...STRING, enum: ["a", "b"] }, { ...STRING, enum: ["a"] }),
  field("N08: value added", { ...STRING, enum: ["a"] }, { ...STRING, enum: ["a", "b"] }),
  field("N08: value replaced", { ...STRING, enum: ["a", "b"] }, { ...STRING, enum: ["a", "c"] }),
  field("N08: enum removed", { ...STRING, enum: ["a"] }, STRING),
  field("N08: order of values", { ...STRING, enum: ["a", "b"] }, { ...STRING, enum: ["b", "a"] }),
  field("N08: value removed in items", list({ ...STRING, enum: ["a", "b"] }), list({ ...STRING, enum: ["a"] })),
  field("N08: value removed in map values", map({ ...STRING, enum: ["a", "b"] }), map({ ...STRING, enum: ["a"] })),
  field("N08: number removed", { ...INTEGER, enum: [1, 2] }, { ...INTEGER, enum: [1] }),
];
const BOUNDS = [
  ...bound("N09", INTEGER, "minimum", 1, 2),
  ...bound("N09", STRING, "minLength", 1, 2),
  ...bound("N09", list(STRING), "minItems", 1, 2),
  ...bound("N09", map(STRING), "minProperties", 1, 2),
  ...bound("N10", INTEGER, "maximum", 1, 2),
  ...bound("N10", STRING, "maxLength", 1, 2),
  ...bound("N10", list(STRING), "maxItems", 1, 2),
  ...bound("N10", map(STRING), "maxProperties", 1, 2),
  field("N09: minimum 0 added", INTEGER, { ...INTEGER, minimum: 0 }),
  field("N09: minimum of a fraction raised", { type: "number", minimum: 0.5 }, { type: "number", minimum: 0.75 }),
  field("N10: maximum in items", list(INTEGER), list({ ...INTEGER, maximum: 3 })),
];
const OTHERS = [
  ...keyword("pattern", STRING, "pattern", "^a", "^b"),
  field("N12: nullable", STRING, { ...STRING, nullable: true }),
  field("N12: no longer nullable", { ...STRING, nullable: true }, STRING),
  field("N12: items nullable", list(STRING), list({ ...STRING, nullable: true })),
  field("N14: description added", STRING, { ...STRING, description: "a" }),
  field("N14: description changed", { ...STRING, description: "a" }, { ...STRING, description: "b" }),
  field("N14: description removed", { ...STRING, description: "a" }, STRING),
  field("N14: description of items", list({ ...STRING, description: "a" }), list({ ...STRING, description: "b" })),
  field(
    "N14: description of a branch",
    { ...STRING, anyOf: [{ minLength: 1, description: "a" }] },
    { ...STRING, anyOf: [{ minLength: 1, description: "b" }] },
  ),
  ...keyword("title", STRING, "title", "a", "b"),
  ...keyword("example", STRING, "example", "a", "b"),
  ...keyword("externalDocs", STRING, "externalDocs", { url: "a" }, { url: "b" }),
  ...keyword("unhandled", STRING, "format", "date", "date-time"),
  ...keyword("unhandled", INTEGER, "multipleOf", 2, 4),
  ...keyword("unhandled", list(STRING), "x-kubernetes-list-type", "set", "atomic"),
  ...keyword("unhandled", object({ y: STRING }), "x-kubernetes-map-type", "atomic", "granular"),
  field(
    "unhandled: list map keys",
    list(object({ y: STRING, z: STRING }, { required: ["y", "z"] }), {
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["y"],
    }),
    list(object({ y: STRING, z: STRING }, { required: ["y", "z"] }), {
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["y", "z"],
    }),
  ),
  field("unhandled: uniqueItems added", list(STRING), list(STRING, { uniqueItems: true })),
  field(
    "unhandled: exclusiveMinimum added",
    { ...INTEGER, minimum: 1 },
    { ...INTEGER, minimum: 1, exclusiveMinimum: true },
  ),
  field(
    "unhandled: exclusiveMinimum removed",
    { ...INTEGER, minimum: 1, exclusiveMinimum: true },
    { ...INTEGER, minimum: 1 },
  ),
  field(
    "unhandled: exclusiveMaximum added",
    { ...INTEGER, maximum: 1 },
    { ...INTEGER, maximum: 1, exclusiveMaximum: true },
  ),
  field(
    "unhandled: exclusive bound goes with its minimum",
    { ...INTEGER, minimum: 1, exclusiveMinimum: true },
    INTEGER,
  ),
  field("unhandled: unknown fields kept", object({ y: STRING }), object({ y: STRING }, KEEP)),
  field("unhandled: unknown fields dropped", object({ y: STRING }, KEEP), object({ y: STRING })),
  field(
    "unhandled: embedded resource",
    object({}, KEEP),
    object({}, { ...KEEP, "x-kubernetes-embedded-resource": true }),
  ),
  field(
    "unhandled: no embedded resource",
    object({}, { ...KEEP, "x-kubernetes-embedded-resource": true }),
    object({}, KEEP),
  ),
  field("unhandled: int-or-string added", KEEP, { ...KEEP, "x-kubernetes-int-or-string": true }),
  field(
    "unhandled: int-or-string, keeps its type",
    { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    { "x-kubernetes-int-or-string": true },
  ),
  ...keyword("unhandled", STRING, "x-kubernetes-validations", [{ rule: "self != 'a'" }], [{ rule: "self != 'b'" }]),
  field(
    "unhandled: message of a rule",
    { ...STRING, "x-kubernetes-validations": [{ rule: "self != 'a'", message: "a" }] },
    { ...STRING, "x-kubernetes-validations": [{ rule: "self != 'a'", message: "b" }] },
  ),
  field("unhandled: additionalProperties true to a schema", map(true), map(STRING)),
  field("unhandled: additionalProperties from a schema to true", map(STRING), map(true)),
  field("unhandled: additionalProperties false to true", map(false), map(true)),
  field("unhandled: additionalProperties added", { type: "object" }, map(STRING)),
  field("unhandled: additionalProperties removed", map(STRING), { type: "object" }),
  field(
    "unhandled: map values become nullable and longer",
    map({ ...STRING, maxLength: 1 }),
    map({ ...STRING, maxLength: 2, nullable: true }),
  ),
  field("unhandled: a bound of map values raised", map({ ...STRING, maxLength: 1 }), map({ ...STRING, maxLength: 2 })),
  field("unhandled: a field of map values added", map(object({ y: STRING })), map(object({ y: STRING, z: STRING }))),
];
const branches = (key) => [
  field(`N13: ${key} added`, STRING, { ...STRING, [key]: [{ minLength: 1 }, { maxLength: 3 }] }),
  field(`N13: ${key} removed`, { ...STRING, [key]: [{ minLength: 1 }, { maxLength: 3 }] }, STRING),
  field(
    `N13: ${key}, branch added`,
    { ...STRING, [key]: [{ minLength: 1 }] },
    { ...STRING, [key]: [{ minLength: 1 }, { maxLength: 3 }] },
  ),
  field(
    `N13: ${key}, branch removed`,
    { ...STRING, [key]: [{ minLength: 1 }, { maxLength: 3 }] },
    { ...STRING, [key]: [{ minLength: 1 }] },
  ),
  field(
    `N13: ${key}, branch tighter`,
    { ...STRING, [key]: [{ minLength: 1 }] },
    { ...STRING, [key]: [{ minLength: 2 }] },
  ),
  field(
    `N13: ${key}, branch looser`,
    { ...STRING, [key]: [{ minLength: 2 }] },
    { ...STRING, [key]: [{ minLength: 1 }] },
  ),
  field(
    `N13: ${key}, other order`,
    { ...STRING, [key]: [{ minLength: 1 }, { maxLength: 3 }] },
    { ...STRING, [key]: [{ maxLength: 3 }, { minLength: 1 }] },
  ),
];
const COMPOSITION = [
  ...["oneOf", "anyOf", "allOf"].flatMap(branches),
  ...keyword("N13", STRING, "not", { minLength: 3 }, { minLength: 4 }),
  field(
    "N13: required in oneOf",
    object({ y: STRING, z: STRING }),
    object({ y: STRING, z: STRING }, { oneOf: [{ required: ["y"] }, { required: ["z"] }] }),
  ),
];
const SEVERAL = [
  specs(
    "several: a field goes and another is required",
    object({ x: STRING, y: STRING }),
    object({ x: STRING, z: STRING }, { required: ["z"] }),
  ),
  field("several: type and enum", { ...STRING, enum: ["a"] }, { ...INTEGER, enum: [1] }),
  field(
    "several: looser and tighter",
    { ...STRING, minLength: 2, maxLength: 5 },
    { ...STRING, minLength: 1, maxLength: 4 },
  ),
  field("several: bound and format", { ...STRING, maxLength: 5 }, { ...STRING, maxLength: 4, format: "date" }),
  field(
    "several: nested lists",
    list(list(object({ y: STRING }))),
    list(list(object({ y: { ...STRING, maxLength: 3 } }))),
  ),
  field("several: looser and unknown", { ...STRING, maxLength: 5 }, { ...STRING, maxLength: 6, format: "date" }),
  field(
    "several: pattern goes and length comes",
    { ...STRING, pattern: "^.{3}$" },
    { ...STRING, minLength: 3, maxLength: 3 },
  ),
];

export const SCHEMA_PAIRS = [
  ...FIELDS,
  ...TYPES,
  ...DEFAULTS,
  ...ENUMS,
  ...BOUNDS,
  ...OTHERS,
  ...COMPOSITION,
  ...SEVERAL,
];
