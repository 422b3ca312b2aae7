// How are CEL values written in the tables that cel-go made?
import { Bytes, CelMap, Optional, TypeValue } from "../../src/cel/value/boxes.ts";
import { Duration, parseDuration } from "../../src/cel/value/duration.ts";
import { type MapValue, mapEntries, UNCOUNTED } from "../../src/cel/value/map-access.ts";
import { double, int, isDouble, isInt, Uint } from "../../src/cel/value/number.ts";
import { parseTimestamp, Timestamp } from "../../src/cel/value/timestamp.ts";
import { typeName, typeOfValue } from "../../src/cel/value/type-of-value.ts";
import { Boxed, type Value } from "../../src/cel/value/value.ts";

type Encoded = Readonly<Record<string, unknown>>;

/** The value with its type, as the Go program writes it; maps sorted by their keys. */
export function encode(value: Value): Encoded {
  if (value === null) return { null: true };
  if (typeof value === "boolean") return { bool: value };
  if (typeof value === "string") return { string: value };
  if (isInt(value)) return { int: String(value) };
  if (isDouble(value)) return { double: doubleText(Number(value instanceof Boxed ? value.value : value)) };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (Array.isArray(value)) return { list: value.map(encode) };
  if (value instanceof Bytes) return { bytes: Buffer.from(value.value).toString("base64") };
  if (value instanceof TypeValue) return { type: value.name };
  if (value instanceof Optional) return { optional: value.content === undefined ? null : encode(value.content) };
  if (value instanceof Timestamp) return { timestamp: String(value) };
  if (value instanceof Duration) return { duration: String(value) };
  if (value instanceof Boxed && !(value instanceof CelMap))
    return { opaque: { type: typeName(typeOfValue(value)), text: String(value) } };
  const entries = mapEntries(value as MapValue, UNCOUNTED).map(([key, entry]) => [encode(key), encode(entry)] as const);
  return { map: entries.sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1)) };
}

function sortKey(encoded: Encoded): string {
  return String(Object.values(encoded)[0]);
}

function doubleText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

/** A value of the input, as the declared type of its variable reads it. */
export function coerced(data: unknown, type: string | undefined): unknown {
  switch (type) {
    case "uint":
      return new Uint(BigInt(data as number));
    case "bytes":
      return new Bytes(new Uint8Array(Buffer.from(data as string, "base64")));
    case "double":
      return double(data as number);
    case "int":
      return int(BigInt(data as number));
    case "timestamp":
      return parseTimestamp(data as string);
    case "duration":
      return parseDuration(data as string);
    default:
      return data;
  }
}
