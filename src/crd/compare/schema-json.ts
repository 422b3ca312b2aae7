// What is the canonical form of a schema? Two schemas that mean the same have the same text, however they are written.

import { canonicalText, compareText, type Json, type JsonObject } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";

/** A value and its canonical text. Both are made together from those of its parts, so that no part is printed twice. */
export interface Said<J extends Json = Json> {
  readonly json: J;
  readonly text: string;
}

/** A schema without documentation and without keywords that have no effect, in one order. */
export function saidBy(schema: Schema): Said<JsonObject> {
  const { additionalProperties } = schema;
  const keywords: (readonly [string, Said | undefined])[] = [
    ["type", given(schema.type)],
    ["format", given(schema.format)],
    ["pattern", given(schema.pattern)],
    ["nullable", given(schema.nullable)],
    ["default", schema.default === undefined ? undefined : said(schema.default)],
    ["enum", schema.enum && said(sortedByText(schema.enum))],
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
    ["items", schema.items && somethingSaidBy(schema.items)],
    [
      "additionalProperties",
      typeof additionalProperties === "object"
        ? (somethingSaidBy(additionalProperties) ?? said(true))
        : additionalProperties === undefined
          ? undefined
          : said(additionalProperties),
    ],
    ["allOf", branches(schema.allOf)],
    ["anyOf", branches(schema.anyOf)],
    ["oneOf", branches(schema.oneOf)],
    ["not", schema.not && saidBy(schema.not)],
    ["x-kubernetes-int-or-string", given(schema.intOrString)],
    ["x-kubernetes-preserve-unknown-fields", given(schema.preserveUnknownFields)],
    ["x-kubernetes-embedded-resource", given(schema.embeddedResource)],
    ["x-kubernetes-list-type", given(listTypeOf(schema))],
    ["x-kubernetes-list-map-keys", texts(schema.listMapKeys)],
    ["x-kubernetes-map-type", given(mapTypeOf(schema))],
    ["x-kubernetes-validations", rules(schema)],
    ...[...schema.other].map(([keyword, value]) => [keyword, said(value)] as const),
  ];
  return object(keywords.filter((pair): pair is readonly [string, Said] => pair[1] !== undefined));
}

/** Whether a schema leaves everything open. */
export function saysNothing(schema: Schema): boolean {
  const { properties, additionalProperties, items, allOf, anyOf, oneOf, not } = schema;
  // A schema with parts is not empty: there is no need to look into them.
  if (properties.size > 0 || additionalProperties !== undefined || not !== undefined) return false;
  if (allOf.length > 0 || anyOf.length > 0 || oneOf.length > 0) return false;
  return (items === undefined || saysNothing(items)) && saidBy(schema).text === "{}";
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
  return sorted(values.map(said)).map(({ json }) => json);
}

/** What each branch says, in the order of their texts. */
export function branchesSaid(schemas: readonly Schema[]): readonly Said[] {
  return sorted(schemas.map(saidBy));
}

function propertiesOf({ properties }: Schema): Said | undefined {
  return properties.size === 0
    ? undefined
    : object([...properties].map(([name, node]) => [name, saidBy(node)] as const));
}

function somethingSaidBy(schema: Schema): Said | undefined {
  const all = saidBy(schema);
  return all.text === "{}" ? undefined : all;
}

function branches(schemas: readonly Schema[]): Said | undefined {
  if (schemas.length === 0) return undefined;
  const all = branchesSaid(schemas);
  return { json: all.map(({ json }) => json), text: `[${all.map(({ text }) => text).join(",")}]` };
}

function rules({ validations }: Schema): Said | undefined {
  if (validations.length === 0) return undefined;
  return said(sortedByText(validations.map(({ rule, optionalOldSelf }) => ({ rule, optionalOldSelf }))));
}

function texts(values: readonly string[]): Said | undefined {
  return values.length === 0 ? undefined : said([...new Set(values)].sort(compareText));
}

function given(value: Json | undefined): Said | undefined {
  return value === undefined || value === false ? undefined : said(value);
}

function said(json: Json): Said {
  return { json, text: canonicalText(json) };
}

function sorted(values: readonly Said[]): readonly Said[] {
  return [...values].sort((a, b) => compareText(a.text, b.text));
}

function object(pairs: readonly (readonly [string, Said])[]): Said<JsonObject> {
  const ordered = [...pairs].sort(([a], [b]) => compareText(a, b));
  return {
    json: Object.fromEntries(ordered.map(([key, value]) => [key, value.json])),
    text: `{${ordered.map(([key, value]) => `${JSON.stringify(key)}:${value.text}`).join(",")}}`,
  };
}
