// What does each keyword of a schema say about its node? Follows apiextensions-apiserver v0.36, JSONSchemaProps and
// ValidateCustomResourceDefinitionOpenAPISchema.

import { isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import type { SchemaReading } from "./read-schema.ts";
import type { Bound, KeywordValue, Schema, SchemaNode, ValidationRule } from "./schema.ts";

/** Sets on the node what a value of the keyword means; otherwise returns what the value has to be. */
export type Keyword = (value: Json, node: SchemaNode, reading: SchemaReading) => KeywordValue | undefined;

/** Makes keywords whose value is kept as it is, if it is what it has to be. */
function keeping<Value extends Json>(expected: KeywordValue, isExpected: (value: Json) => value is Value) {
  type Field = { [Key in keyof SchemaNode]: Value extends SchemaNode[Key] ? Key : never }[keyof SchemaNode];
  return (field: Field): Keyword =>
    (value, node) => {
      if (!isExpected(value)) return expected;
      (node as Partial<Record<keyof SchemaNode, unknown>>)[field] = value;
      return undefined;
    };
}

const flag = keeping("flag", (value) => typeof value === "boolean");
const number = keeping("number", (value) => typeof value === "number" || typeof value === "bigint");
const whole = keeping("whole number", (value): value is Bound => typeof value === "bigint" || Number.isInteger(value));
const texts = keeping(
  "texts",
  (value): value is readonly string[] => isList(value) && value.every((item) => typeof item === "string"),
);

/** The keywords that have a meaning. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["type", readType],
  ["properties", readProperties],
  ["items", readItems],
  ["additionalProperties", readAdditionalProperties],
  ["required", texts("required")],
  ["format", text("format")],
  ["pattern", readPattern],
  ["enum", readEnum],
  ["default", readDefault],
  ["nullable", flag("nullable")],
  ["minimum", number("minimum")],
  ["maximum", number("maximum")],
  ["exclusiveMinimum", flag("exclusiveMinimum")],
  ["exclusiveMaximum", flag("exclusiveMaximum")],
  ["multipleOf", number("multipleOf")],
  ["minLength", whole("minLength")],
  ["maxLength", whole("maxLength")],
  ["minItems", whole("minItems")],
  ["maxItems", whole("maxItems")],
  ["minProperties", whole("minProperties")],
  ["maxProperties", whole("maxProperties")],
  ["uniqueItems", readUniqueItems],
  ["allOf", schemas("allOf")],
  ["anyOf", schemas("anyOf")],
  ["oneOf", schemas("oneOf")],
  ["not", readNot],
  ["x-kubernetes-int-or-string", flag("intOrString")],
  ["x-kubernetes-preserve-unknown-fields", flag("preserveUnknownFields")],
  ["x-kubernetes-embedded-resource", flag("embeddedResource")],
  ["x-kubernetes-list-type", text("listType")],
  ["x-kubernetes-list-map-keys", texts("listMapKeys")],
  ["x-kubernetes-map-type", text("mapType")],
  ["x-kubernetes-validations", readRules],
]);

/** Keywords that only document. */
export const DOCUMENTATION: ReadonlySet<string> = new Set(
  "description title example examples externalDocs $comment $schema".split(" "),
);

/** Keywords that the API server refuses (the upper ones) or has no place for (the lower ones). */
export const NOT_ALLOWED: ReadonlySet<string> = new Set([
  ..."$ref id additionalItems patternProperties definitions dependencies".split(" "),
  ..."deprecated discriminator readOnly writeOnly xml".split(" "),
]);

function text(field: "format" | "listType" | "mapType"): Keyword {
  return (value, node) => {
    if (typeof value !== "string") return "text";
    node[field] = value === "" ? undefined : value;
    return undefined;
  };
}

function schemas(field: "allOf" | "anyOf" | "oneOf"): Keyword {
  return (value, node, reading) => {
    if (!isList(value)) return "schemas";
    node[field] = value.map((item, index) => reading.node(item, node, field, index));
    return undefined;
  };
}

function readType(value: Json, node: SchemaNode, reading: SchemaReading): KeywordValue | undefined {
  if (typeof value !== "string") return "text";
  if (value === "null") reading.fault("not-allowed", node, ["type"], { kind: "null-type" });
  else if (value !== "") node.type = value;
  return undefined;
}

function readProperties(value: Json, node: SchemaNode, reading: SchemaReading): KeywordValue | undefined {
  if (!isObject(value)) return "object";
  const properties = new Map<string, Schema>();
  for (const name of Object.keys(value))
    properties.set(name, reading.node(value[name] as Json, node, "properties", name));
  node.properties = properties;
  return undefined;
}

function readItems(value: Json, node: SchemaNode, reading: SchemaReading): KeywordValue | undefined {
  if (isList(value)) reading.fault("not-allowed", node, ["items"], { kind: "items-by-position" }, "value");
  else if (!isObject(value)) return "schema";
  else node.items = reading.node(value, node, "items");
  return undefined;
}

function readAdditionalProperties(value: Json, node: SchemaNode, reading: SchemaReading): KeywordValue | undefined {
  if (typeof value === "boolean") node.additionalProperties = value;
  else if (isObject(value)) node.additionalProperties = reading.node(value, node, "additionalProperties");
  else return "flag or schema";
  return undefined;
}

function readPattern(value: Json, node: SchemaNode, reading: SchemaReading): KeywordValue | undefined {
  if (typeof value !== "string") return "text";
  if (value === "") return undefined;
  node.pattern = value;
  reading.pattern(value, node);
  return undefined;
}

/** An empty list chooses nothing: the API server takes it as if it were not there. */
function readEnum(value: Json, node: SchemaNode, reading: SchemaReading): KeywordValue | undefined {
  if (!isList(value)) return "list";
  if (value.length > 0 && !reading.isTooDeep("enum", value, node)) node.enum = value;
  return undefined;
}

function readDefault(value: Json, node: SchemaNode, reading: SchemaReading): undefined {
  if (!reading.isTooDeep("default", value, node)) node.default = value;
}

function readUniqueItems(value: Json, node: SchemaNode, reading: SchemaReading): KeywordValue | undefined {
  if (typeof value !== "boolean") return "flag";
  node.uniqueItems = value;
  if (value) reading.fault("not-allowed", node, ["uniqueItems"], { kind: "unique-items" });
  return undefined;
}

function readNot(value: Json, node: SchemaNode, reading: SchemaReading): KeywordValue | undefined {
  if (!isObject(value)) return "schema";
  node.not = reading.node(value, node, "not");
  return undefined;
}

function readRules(value: Json, node: SchemaNode, reading: SchemaReading): KeywordValue | undefined {
  if (!isList(value)) return "rules";
  const rules: ValidationRule[] = [];
  for (const [index, item] of value.entries()) {
    const rule = isObject(item) ? own(item, "rule") : undefined;
    if (typeof rule === "string") rules.push(ruleOf(rule, item as JsonObject));
    else reading.fault("wrong-shape", node, ["x-kubernetes-validations", index], { kind: "rule-shape" }, "value");
  }
  node.validations = rules;
  return undefined;
}

function ruleOf(rule: string, item: JsonObject): ValidationRule {
  return {
    rule,
    message: textOf(item, "message"),
    messageExpression: textOf(item, "messageExpression"),
    // To the API server, an empty reason is one, too.
    reason: own(item, "reason") === "" ? "" : textOf(item, "reason"),
    fieldPath: textOf(item, "fieldPath"),
    optionalOldSelf: own(item, "optionalOldSelf") === true,
  };
}

function textOf(item: JsonObject, key: string): string | undefined {
  const value = own(item, key);
  return typeof value === "string" && value !== "" ? value : undefined;
}
