// How are values written as base64 or JSON, and read back?

import { largest, upTo } from "../../cost/range.ts";
import { globalFunction, type Library, type Running } from "../../library.ts";
import { BYTES, DYN, printType, STRING } from "../../type.ts";
import { Bytes, Optional } from "../../value/boxes.ts";
import { describeValue } from "../../value/describe.ts";
import { Duration } from "../../value/duration.ts";
import { isMap, mapEntries } from "../../value/map-access.ts";
import { doubleOf, isDouble, isInt, Uint } from "../../value/number.ts";
import { compareStrings } from "../../value/text.ts";
import { Timestamp } from "../../value/timestamp.ts";
import { typeOfValue } from "../../value/type-of-value.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";

function decode(text: string, running: Running): Result {
  running.allocate(text.length);
  const bytes = decodeBase64(text);
  return bytes === undefined ? new CelError(() => `${describeValue(text)} is not base64`) : new Bytes(bytes);
}

function encode(bytes: Bytes, running: Running): Result {
  running.allocate(2 * bytes.value.length);
  return encodeBase64(bytes.value);
}

/** `base64.decode`, `base64.encode`, `json.encode` */
export const encodersLibrary: Library = {
  name: "encoders",
  functions: [
    globalFunction("base64.decode", "base64_decode_string", [STRING], BYTES, decode, {
      estimate: (args) => upTo(1, largest(args, 0)),
    }),
    globalFunction("base64.encode", "base64_encode_bytes", [BYTES], STRING, encode, {
      estimate: (args) => upTo(1, Math.ceil(largest(args, 0) / 3) * 4),
    }),
    globalFunction("json.encode", "json_encode_dyn", [DYN], STRING, encodeJson, {
      estimate: () => upTo(1, Number.POSITIVE_INFINITY),
    }),
  ],
};

/**
 * JSON without spaces, keys sorted. What JSON has no form for becomes a string: bytes in base64, times, and integers
 * that a double does not hold. Optionals are what is in them.
 */
function encodeJson(value: Value, running: Running): Result {
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
