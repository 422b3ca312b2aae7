// Which API properties are equal? A catalog repeats a few thousand APIs hundreds of thousands of times; stored once,
// they take a fraction of the memory and can be compared by identity.

import type { Gvk, Property } from "../../model/catalog.ts";
import { getOrAdd } from "../../model/grouped.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";

/** The API properties seen so far: by type, kind, group and version. Four lookups are faster than one joined key. */
export class SharedApis {
  readonly #seen = new Map<string, Map<string, Map<string, Map<string, Property>>>>();

  /** The property with this type and an equal value, if there is one. */
  get(type: string, value: Json): Property | undefined {
    if (!isPlainApi(value)) return undefined;
    return this.#seen.get(type)?.get(value.kind)?.get(value.group)?.get(value.version);
  }

  /** Adds a property to share. */
  set(property: Property): void {
    const { type, value } = property;
    if (!isPlainApi(value)) return;
    const groups = inner(inner(this.#seen, type), value.kind);
    inner(groups, value.group).set(value.version, property);
  }
}

/** Exactly group, version and kind: a value with more fields is not shared. */
function isPlainApi(value: Json): value is JsonObject & Gvk {
  if (!isObject(value)) return false;
  if (typeof value.group !== "string" || typeof value.version !== "string" || typeof value.kind !== "string")
    return false;
  let keys = 0;
  for (const _ in value) keys++;
  return keys === 3;
}

function inner<Value>(outer: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  return getOrAdd(outer, key, () => new Map());
}
