// Which value of the old object is a value of the new one compared with, and is it still the same?
//
// As in Kubernetes' apiserver v0.36.3: fields and map entries by their names, items by the keys of a list of type map. Items
// of all other lists have no old value.

import { isList, isObject, type Json, own } from "../../model/json.ts";
import { isSameValue } from "../deep-value.ts";
import type { Schema } from "../schema/schema.ts";

/** Finds the old item that belongs to a new one. */
export type OldItems = (item: Json) => Json | undefined;

const NONE: OldItems = () => undefined;

/** How the old items of a list are found. */
export function oldItems(schema: Schema, old: Json | undefined): OldItems {
  if (schema.listType !== "map" || schema.listMapKeys.length === 0 || !isList(old)) return NONE;
  const byKey = new Map<string, Json>();
  for (const item of old) {
    const key = keyOf(schema, item);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => byKey.get(keyOf(schema, item) ?? "");
}

/** The key of an item; undefined if a key field is missing. */
function keyOf(schema: Schema, item: Json): string | undefined {
  if (!isObject(item)) return undefined;
  const parts: string[] = [];
  for (const key of schema.listMapKeys) {
    const value = own(item, key);
    if (value === undefined || value === null || typeof value === "object") return undefined;
    parts.push(JSON.stringify([typeof value, String(value)]));
  }
  return parts.join();
}

/** A value that has an old one. */
export interface Pair {
  readonly schema: Schema;
  readonly value: Json;
  readonly old: Json;
  /** Are they the same? Computed on demand. */
  same?: boolean;
}

/** Is the value unchanged? A value with a field that is not in the schema never is. */
export function isUnchanged(pair: Pair): boolean {
  pair.same ??= unchanged(pair.schema, pair.value, pair.old);
  return pair.same;
}

function unchanged(schema: Schema, value: Json, old: Json): boolean {
  if (isList(value)) return isList(old) && value.length === old.length && unchangedItems(schema, value, old);
  if (!isObject(value)) return value === old;
  if (!isObject(old) || Object.keys(value).length !== Object.keys(old).length) return false;
  return Object.keys(value).every((key) => {
    const below = schema.properties.get(key) ?? schema.additionalProperties;
    const before = own(old, key);
    return typeof below === "object" && before !== undefined && unchanged(below, value[key] as Json, before);
  });
}

function unchangedItems(schema: Schema, value: readonly Json[], old: readonly Json[]): boolean {
  if (schema.listType !== "map") return isSameValue(value, old);
  const { items } = schema;
  const find = oldItems(schema, old);
  return value.every((item) => {
    const before = find(item);
    return items !== undefined && before !== undefined && unchanged(items, item, before);
  });
}
