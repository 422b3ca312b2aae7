// How is a value written as text?
import { shortened } from "../../text/words.ts";
import { printType } from "../type.ts";
import { Bytes, CelMap, Optional, TypeValue } from "./boxes.ts";
import { isMap, type MapValue, mapEntries, UNCOUNTED } from "./map-access.ts";
import { isDouble, isNumber, Uint } from "./number.ts";
import { typeOfValue } from "./type-of-value.ts";
import { Boxed, isData, isList, kindOfData, type Value } from "./value.ts";

const MAX_LENGTH = 60;

/** A short text of the value, as an expression would write it, cut when it is long. */
export function describeValue(value: Value): string {
  try {
    return shortened(write(value, MAX_LENGTH, kindOfData), MAX_LENGTH);
  } catch {
    return "a value that cannot be read";
  }
}

/** More is not written: a value may share its parts, so that a few lists of two elements each would fill a disk. */
const MAX_WRITTEN = 10_000_000;

/**
 * The value as an expression would write it, up to about `room` characters. Throws a TypeError when something in it is no
 * value of CEL.
 */
export function writeValue(value: Value, room: number = MAX_WRITTEN): string {
  return write(value, room, (what) => {
    throw new TypeError(`there is ${kindOfData(what)}`);
  });
}

/** Deeper parts are left out. */
const MAX_DEPTH = 500;

/** `foreign` writes what is not a CEL value. */
function write(value: Value, room: number, foreign: (what: unknown) => string, depth = 0): string {
  if (depth > MAX_DEPTH) return "…";
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value.length > room ? `${value.slice(0, room)}…` : value);
  if (typeof value === "boolean") return String(value);
  if (isNumber(value)) return writeNumber(value);
  if (Array.isArray(value))
    return writeMany("[", "]", value, room, (element, left) => write(element, left - 2, foreign, depth + 1));
  if (value instanceof Bytes) return `b"${Array.from(value.value.slice(0, room), byteText).join("")}"`;
  if (value instanceof Optional)
    return value.content === undefined
      ? "optional.none()"
      : `optional.of(${write(value.content, room, foreign, depth + 1)})`;
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Boxed && !(value instanceof CelMap))
    return `${printType(typeOfValue(value)).replace(/^.*\./, "").toLowerCase()}(${JSON.stringify(String(value))})`;
  if (!isData(value)) return foreign(value);
  const entries = mapEntries(value as MapValue, UNCOUNTED);
  const writeEntry = ([key, content]: readonly [Value, Value], left: number): string =>
    `${write(key, left, foreign)}: ${write(content, left - 2, foreign, depth + 1)}`;
  return writeMany("{", "}", entries, room, writeEntry);
}

function byteText(byte: number): string {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
}

function writeNumber(value: Value): string {
  if (value instanceof Uint) return `${value.value}u`;
  const text = String(value).replace(/^(-?)Infinity$/, (_, sign: string) => (sign === "" ? "+Inf" : "-Inf"));
  return isDouble(value) && /^-?[0-9]+$/.test(text) ? `${text}.0` : text;
}

function writeMany<T>(
  open: string,
  close: string,
  items: readonly T[],
  room: number,
  writeItem: (item: T, room: number) => string,
): string {
  const parts: string[] = [];
  let left = room;
  for (const item of items) {
    if (left <= 0) {
      parts.push("…");
      break;
    }
    const text = writeItem(item, left);
    left -= text.length + 2;
    parts.push(text);
  }
  return `${open}${parts.join(", ")}${close}`;
}

/**
 * The parts of a value, counted up to a limit. A value may share its parts, so that a few lists of two elements each would
 * fill a disk when written out.
 */
export function writtenSize(value: Value, most: number): number {
  const open: Value[] = [value];
  let count = 0;
  for (let part = open.pop(); part !== undefined && count < most; part = open.pop()) {
    count++;
    if (isList(part)) for (const element of part) open.push(element);
    else if (part instanceof Optional) open.push(part.content ?? null);
    else if (part instanceof CelMap || isMap(part))
      for (const [, entry] of mapEntries(part, UNCOUNTED)) open.push(entry);
  }
  return count;
}
