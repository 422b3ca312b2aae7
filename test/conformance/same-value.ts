// Is a result exactly the expected value, and how is a value printed for comparison?
import { Bytes, Optional, TypeValue } from "../../src/cel/value/boxes.ts";
import { isMap, mapEntries, UNCOUNTED } from "../../src/cel/value/map-access.ts";
import { isDouble, isInt, Uint } from "../../src/cel/value/number.ts";
import { type Boxed, CelError, type Result } from "../../src/cel/value/value.ts";

/**
 * The value with the kind of every part, and maps in the order of their keys. Two values are the same result when they
 * are written alike: unlike for CEL's own equality, `1`, `1u` and `1.0` differ, and NaN is NaN.
 */
export function writeValue(value: Result): string {
  if (value instanceof CelError) return `error: ${value.message}`;
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (isInt(value)) return String(value);
  if (isDouble(value)) return `double(${Number(typeof value === "number" ? value : value.value) + 0})`;
  if (Array.isArray(value)) return `[${value.map(writeValue).join(", ")}]`;
  if (isMap(value)) {
    const entries = mapEntries(value, UNCOUNTED).map(([key, item]) => `${writeValue(key)}: ${writeValue(item)}`);
    return `{${entries.sort().join(", ")}}`;
  }
  return writeBoxed(value as Boxed);
}

function writeBoxed(value: Boxed): string {
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Bytes) return `bytes(${Buffer.from(value.value).toString("base64")})`;
  if (value instanceof TypeValue) return `type(${value.name})`;
  if (value instanceof Optional) return value.content === undefined ? "none" : `some(${writeValue(value.content)})`;
  return `${value.constructor.name}(${value})`;
}
