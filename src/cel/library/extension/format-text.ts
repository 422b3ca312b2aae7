// How does `%s` write a value?
import type { Running } from "../../library.ts";
import { printType } from "../../type.ts";
import { Bytes, TypeValue } from "../../value/boxes.ts";
import { Duration } from "../../value/duration.ts";
import { isMap, mapEntries } from "../../value/map-access.ts";
import { doubleOf, isDouble, isInt, Uint } from "../../value/number.ts";
import { compareStrings } from "../../value/text.ts";
import { Timestamp } from "../../value/timestamp.ts";
import { typeOfValue } from "../../value/type-of-value.ts";
import { CelError, type Value } from "../../value/value.ts";
import { writePlain } from "./format-number.ts";

/** The value in words: lists in brackets, maps in braces and sorted by their written keys, times in UTC. */
export function writeText(value: Value, running: Running): string | CelError {
  if (value === null) return "null";
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || isInt(value)) return String(value);
  if (isDouble(value)) return writePlain(doubleOf(value));
  if (Array.isArray(value)) {
    const parts = writeAll(value, running);
    return parts instanceof CelError ? parts : `[${parts.join(", ")}]`;
  }
  if (isMap(value)) {
    const entries = mapEntries(value, running);
    const keys = writeAll(
      entries.map(([key]) => key),
      running,
    );
    const values = writeAll(
      entries.map(([, content]) => content),
      running,
    );
    if (keys instanceof CelError) return keys;
    if (values instanceof CelError) return values;
    const sorted = keys
      .map((key, index) => [key, values[index]] as const)
      .sort(([a], [b]) => compareStrings(a, b, running));
    return `{${sorted.map(([key, content]) => `${key}: ${content}`).join(", ")}}`;
  }
  if (value instanceof Timestamp) return String(new Timestamp(value.seconds, value.nanos));
  if (value instanceof Uint || value instanceof Bytes || value instanceof Duration || value instanceof TypeValue) {
    return String(value);
  }
  return new CelError(`%s cannot write a value of the type ${printType(typeOfValue(value))}`);
}

function writeAll(values: readonly Value[], running: Running): string[] | CelError {
  const parts: string[] = [];
  for (const value of values) {
    const part = writeText(value, running);
    if (part instanceof CelError) return part;
    // A container may hold one value many times, so that parts are counted before the whole is made.
    running.allocate(part.length);
    parts.push(part);
  }
  return parts;
}
