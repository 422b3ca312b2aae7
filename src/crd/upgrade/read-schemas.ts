// How is a schema read only once? A definition is the new one of one
// upgrade and the old one of the next, and most schemas stay as they were.

import { getOrAdd } from "../../model/grouped.ts";
import { isList, isObject, type Json, type JsonObject, own } from "../../model/json.ts";
import { isSameValue } from "../deep-value.ts";
import { DOCUMENTATION } from "../schema/keywords.ts";
import { MAX_LEVELS, readSchema } from "../schema/read-schema.ts";
import type { ReadSchema } from "../schema/schema.ts";

const readings = new WeakMap<JsonObject, ReadSchema>();

/** What a schema says, and what is wrong with it. */
export function readOnce(schema: JsonObject): ReadSchema {
  return getOrAdd(readings, schema, () => readSchema(schema));
}

const ONE_SCHEMA: ReadonlySet<string> = new Set(["items", "additionalProperties", "not"]);
const SEVERAL_SCHEMAS: ReadonlySet<string> = new Set(["properties", "allOf", "anyOf", "oneOf"]);

/** Whether two schemas are equal except for documentation; below the depth that is read, documentation counts. */
export function isSameSchema(a: Json | undefined, b: Json | undefined, levels: number = MAX_LEVELS): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (levels === 0) return isSameValue(a, b);
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key) && !DOCUMENTATION.has(key)) return false;
  return Object.keys(a).every((key) => {
    if (DOCUMENTATION.has(key)) return true;
    const [left, right] = [a[key], own(b, key)];
    if (left === right) return true;
    if (ONE_SCHEMA.has(key)) return isSameSchema(left, right, levels - 1);
    return SEVERAL_SCHEMAS.has(key) ? areSameSchemas(left, right, levels - 1) : isSameValue(left, right);
  });
}

function areSameSchemas(a: Json | undefined, b: Json | undefined, levels: number): boolean {
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return false;
    return a.every((item, index) => isSameSchema(item, b[index], levels));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isSameSchema(a[key], own(b, key), levels));
}
