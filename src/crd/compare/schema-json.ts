// What is the canonical form of a schema? Two schemas that mean the same have the same text, however they are written.

import { canonicalText, compareText, type Json, type JsonObject } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";

/** A value and its canonical text. Both are built from those of its parts, so that no part is printed twice. */
export interface Canonical<J extends Json = Json> {
  readonly json: J;
  readonly text: string;
}

/** A schema without documentation and without keywords that have no effect, in one order. */
export function canonicalSchema(schema: Schema): Canonical<JsonObject> {
  const { additionalProperties } = schema;
  const keywords: (readonly [string, Canonical | undefined])[] = [
    ["type", given(schema.type)],
    ["format", given(schema.format)],
    ["pattern", given(schema.pattern)],
    ["nullable", given(schema.nullable)],
    ["default", schema.default === undefined ? undefined : canonical(schema.default)],
    ["enum", schema.enum && canonical(sortedByText(schema.enum))],
    ["required", texts(schema.required)],
    ["minimum", given(schema.minimum)],
    ["exclusiveMinimum", given(schema.exclusiveMinimum)],
    ["maximum", given(schema.maximum)],
    ["exclusiveMaximum", given(schema.exclusiveMaximum)],
    ["multipleOf", given(schema.multipleOf)],
    ["minLength", given(schema.minLength || undefined)],
    ["maxLength", given(schema.maxLength)],
    ["minItems", given(schema.minItems || undefined)],
    ["maxItems", given(schema.maxItems)],
    ["minProperties", given(schema.minProperties || undefined)],
    ["maxProperties", given(schema.maxProperties)],
    ["uniqueItems", given(schema.uniqueItems)],
    ["properties", propertiesOf(schema)],
    ["items", schema.items && constraining(schema.items)],
    [
      "additionalProperties",
      typeof additionalProperties === "object"
        ? (constraining(additionalProperties) ?? canonical(true))
        : additionalProperties === undefined
          ? undefined
          : canonical(additionalProperties),
    ],
    ["allOf", branches(schema.allOf)],
    ["anyOf", branches(schema.anyOf)],
    ["oneOf", branches(schema.oneOf)],
    ["not", schema.not && canonicalSchema(schema.not)],
    ["x-kubernetes-int-or-string", given(schema.intOrString)],
    ["x-kubernetes-preserve-unknown-fields", given(schema.preserveUnknownFields)],
    ["x-kubernetes-embedded-resource", given(schema.embeddedResource)],
    ["x-kubernetes-list-type", given(listTypeOf(schema))],
    ["x-kubernetes-list-map-keys", texts(schema.listMapKeys)],
    ["x-kubernetes-map-type", given(mapTypeOf(schema))],
    ["x-kubernetes-validations", rules(schema)],
    ...[...schema.other].map(([keyword, value]) => [keyword, canonical(value)] as const),
  ];
  return object(keywords.filter((pair): pair is readonly [string, Canonical] => pair[1] !== undefined));
}

/** Whether a schema has no constraints. */
export function isUnconstrained(schema: Schema): boolean {
  const { properties, additionalProperties, items, allOf, anyOf, oneOf, not } = schema;
  // A schema with parts is not empty: there is no need to look into them.
  if (properties.size > 0 || additionalProperties !== undefined || not !== undefined) return false;
  if (allOf.length > 0 || anyOf.length > 0 || oneOf.length > 0) return false;
  return (items === undefined || isUnconstrained(items)) && canonicalSchema(schema).text === "{}";
}

/** How a list is merged; undefined for atomic, the default. */
export function listTypeOf(schema: Schema): string | undefined {
  return schema.listType === "atomic" ? undefined : schema.listType;
}

/** How a map is merged; undefined for granular, the default. */
export function mapTypeOf(schema: Schema): string | undefined {
  return schema.mapType === "granular" ? undefined : schema.mapType;
}

/** Values in the order of their texts. */
export function sortedByText(values: readonly Json[]): readonly Json[] {
  return sorted(values.map(canonical)).map(({ json }) => json);
}

/** The canonical form of each branch, in the order of their texts. */
export function canonicalBranches(schemas: readonly Schema[]): readonly Canonical[] {
  return sorted(schemas.map(canonicalSchema));
}

function propertiesOf({ properties }: Schema): Canonical | undefined {
  return properties.size === 0
    ? undefined
    : object([...properties].map(([name, node]) => [name, canonicalSchema(node)] as const));
}

function constraining(schema: Schema): Canonical | undefined {
  const all = canonicalSchema(schema);
  return all.text === "{}" ? undefined : all;
}

function branches(schemas: readonly Schema[]): Canonical | undefined {
  if (schemas.length === 0) return undefined;
  const all = canonicalBranches(schemas);
  return { json: all.map(({ json }) => json), text: `[${all.map(({ text }) => text).join(",")}]` };
}

function rules({ validations }: Schema): Canonical | undefined {
  if (validations.length === 0) return undefined;
  return canonical(sortedByText(validations.map(({ rule, optionalOldSelf }) => ({ rule, optionalOldSelf }))));
}

function texts(values: readonly string[]): Canonical | undefined {
  return values.length === 0 ? undefined : canonical([...new Set(values)].sort(compareText));
}

function given(value: Json | undefined): Canonical | undefined {
  return value === undefined || value === false ? undefined : canonical(value);
}

function canonical(json: Json): Canonical {
  return { json, text: canonicalText(json) };
}

function sorted(values: readonly Canonical[]): readonly Canonical[] {
  return [...values].sort((a, b) => compareText(a.text, b.text));
}

function object(pairs: readonly (readonly [string, Canonical])[]): Canonical<JsonObject> {
  const ordered = [...pairs].sort(([a], [b]) => compareText(a, b));
  return {
    json: Object.fromEntries(ordered.map(([key, value]) => [key, value.json])),
    text: `{${ordered.map(([key, value]) => `${JSON.stringify(key)}:${value.text}`).join(",")}}`,
  };
}
