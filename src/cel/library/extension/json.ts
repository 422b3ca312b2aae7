// How is a value written as JSON?
import type { Running } from "../../library.ts";
import { printType } from "../../type.ts";
import { Bytes, Optional } from "../../value/boxes.ts";
import { describeValue } from "../../value/describe.ts";
import { Duration } from "../../value/duration.ts";
import { isMap, mapEntries } from "../../value/map-access.ts";
import { doubleOf, isDouble, isInt, Uint } from "../../value/number.ts";
import { compareStrings } from "../../value/text.ts";
import { Timestamp } from "../../value/timestamp.ts";
import { typeOfValue } from "../../value/type-of-value.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { encodeBase64 } from "./base64.ts";

/**
 * JSON without spaces, keys sorted. What JSON has no form for becomes a string: bytes in base64, times, and integers
 * that a double does not hold. Optionals are what is in them.
 */
export function encodeJson(value: Value, running: Running): Result {
  const written = write(value, running);
  if (typeof written === "string") running.allocate(written.length);
  return written;
}

function write(value: Value, running: Running): string | CelError {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (isInt(value)) return writeInt(BigInt(value));
  if (isDouble(value)) return writeDouble(doubleOf(value));
  if (value instanceof Uint) return writeInt(value.value);
  if (Array.isArray(value)) return writeAll("[", "]", value, (element) => write(element, running), running);
  if (isMap(value)) return writeMap(mapEntries(value, running), running);
  if (value instanceof Bytes) return `"${encodeBase64(value.value)}"`;
  if (value instanceof Duration || value instanceof Timestamp) return `"${value}"`;
  if (value instanceof Optional) {
    return value.content === undefined ? new CelError("optional.none() has no JSON") : write(value.content, running);
  }
  return new CelError(`a value of the type ${printType(typeOfValue(value))} has no JSON`);
}

function writeInt(value: bigint): string {
  return Number.isSafeInteger(Number(value)) ? String(value) : `"${value}"`;
}

function writeDouble(value: number): string | CelError {
  if (!Number.isFinite(value)) return new CelError(() => `${describeValue(value)} has no JSON`);
  return Object.is(value, -0) ? "-0" : String(value);
}

function writeMap(entries: readonly (readonly [Value, Value])[], running: Running): string | CelError {
  const wrong = entries.find(([key]) => typeof key !== "string");
  if (wrong !== undefined)
    return new CelError(() => `a key of a JSON object is a string, not ${describeValue(wrong[0])}`);
  const sorted = [...entries].sort(([a], [b]) => compareStrings(a as string, b as string, running));
  const writeEntry = ([key, content]: readonly [Value, Value]): string | CelError => {
    const written = write(content, running);
    return written instanceof CelError ? written : `${JSON.stringify(key)}:${written}`;
  };
  return writeAll("{", "}", sorted, writeEntry, running);
}

function writeAll<T>(
  open: string,
  close: string,
  items: readonly T[],
  writeItem: (item: T) => string | CelError,
  running: Running,
): string | CelError {
  const parts: string[] = [];
  for (const item of items) {
    const part = writeItem(item);
    if (part instanceof CelError) return part;
    // A container may hold one value many times, so that parts are counted before the whole is made.
    running.allocate(part.length);
    parts.push(part);
  }
  return open + parts.join(",") + close;
}
