// How is a value of an expression written as JSON? What JSON cannot hold exactly becomes text.
import { encodeBase64 } from "../../cel/library/extension/base64.ts";
import { printType, type Type } from "../../cel/type.ts";
import { Bytes, CelMap, Optional } from "../../cel/value/boxes.ts";
import { mapEntries, UNCOUNTED } from "../../cel/value/map-access.ts";
import { Double, Uint } from "../../cel/value/number.ts";
import { typeOfValue } from "../../cel/value/type-of-value.ts";
import { Boxed, type JsonMap, type Value } from "../../cel/value/value.ts";
import type { Json } from "../../model/json.ts";

/** The value as JSON: numbers beyond 2^53, NaN and infinities as text, bytes in base64, the rest as `string()` writes it. */
export function valueJson(value: Value): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return exactJson(value);
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(valueJson);
  if (value instanceof Double) return exactJson(value.value);
  if (value instanceof Uint)
    return value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : String(value.value);
  if (value instanceof Bytes) return encodeBase64(value.value);
  if (value instanceof Optional) return value.content === undefined ? null : valueJson(value.content);
  if (value instanceof CelMap) return mapJson([...value.entries.values()]);
  if (value instanceof Boxed) return String(value);
  return objectOf(mapEntries(value as JsonMap, UNCOUNTED) as (readonly [string, Value])[]);
}

/** JSON has no NaN, no infinities and no minus zero. */
function exactJson(value: number): Json {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

/** A map; if two of its keys have the same text (1 and "1"), a list of its entries. */
function mapJson(entries: readonly (readonly [Value, Value])[]): Json {
  const named = entries.map(([key, content]) => [String(key), content] as const);
  if (new Set(named.map(([key]) => key)).size === named.length) return objectOf(named);
  return entries.map(([key, content]) => ({ key: valueJson(key), value: valueJson(content) }));
}

function objectOf(entries: readonly (readonly [string, Value])[]): Json {
  // fromEntries makes `__proto__` an own key.
  return Object.fromEntries(entries.map(([key, content]) => [key, valueJson(content)]));
}

/** The type of a value for people: the static one, unless only the value itself determines it. */
export function shownType(type: Type, value: Value): string {
  return printType(type.kind === "dyn" ? typeOfValue(value) : type);
}
