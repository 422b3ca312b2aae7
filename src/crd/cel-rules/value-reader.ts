// What does a rule see of an object? The conversion is planned once per schema node, and only where the schema requires one:
// all other values are used unchanged.

import { decodeBase64 } from "../../cel/library/extension/base64.ts";
import { opaque, type Type } from "../../cel/type.ts";
import { Bytes } from "../../cel/value/boxes.ts";
import { durationOrOverflow, parseDuration } from "../../cel/value/duration.ts";
import { KeyedList } from "../../cel/value/keyed-list.ts";
import { double } from "../../cel/value/number.ts";
import { parseTimestamp } from "../../cel/value/timestamp.ts";
import { Boxed, CelError, isJsonMap, type JsonMap, type Result, type Value } from "../../cel/value/value.ts";
import { canonicalText, isList, isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Schema } from "../schema/schema.ts";
import { nanosecondsPer } from "../validate/text-format.ts";
import { resourceProperties } from "./declared.ts";
import { escapeName } from "./escape-name.ts";

/** Converts a value of a document to what a rule sees. The value itself is never changed. */
export type ValueReader = (value: Json) => Value;

/** How values of the node are read; undefined if a rule sees them as they are. */
export function readerFor(schema: Schema, isResource: boolean): ValueReader | undefined {
  if (schema.intOrString) return undefined;
  switch (schema.type) {
    case "number":
      return (value) => (typeof value === "number" || typeof value === "bigint" ? double(Number(value)) : value);
    case "string": {
      const read = formatReader(schema.format);
      return read && ((value) => (typeof value === "string" ? read(value) : value));
    }
    case "array":
      return listReader(schema);
    case "object": {
      const values = schema.additionalProperties;
      return typeof values === "object" && schema.properties.size === 0
        ? mapReader(values)
        : objectReader(schema, isResource);
    }
    default:
      return undefined;
  }
}

function listReader(schema: Schema): ValueReader | undefined {
  const { items } = schema;
  if (items === undefined) return undefined;
  const read = readerFor(items, items.embeddedResource);
  const keyOf = keyReader(schema);
  if (read === undefined && keyOf === undefined) return undefined;
  const isSet = schema.listType === "set";
  return (value) => {
    if (!isList(value)) return value;
    const elements = read === undefined ? value : value.map(read);
    return keyOf === undefined ? elements : new KeyedList(elements, keyOf, isSet);
  };
}

/** The key fields of a list that is merged by key; undefined for all other lists. */
function keyReader(schema: Schema): ((element: Value) => string) | undefined {
  if (schema.listType === "set") return keyText;
  if (schema.listType !== "map") return undefined;
  const keys = schema.listMapKeys.map((key) => escapeName(key) ?? key);
  return (element) =>
    isJsonMap(element)
      ? JSON.stringify(keys.map((key) => (Object.hasOwn(element, key) ? keyText(element[key] as Value) : null)))
      : "";
}

/** A text that is the same for equal elements and only for those. */
function keyText(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  return value instanceof Boxed ? `${value.type.kind} ${value.toString()}` : canonicalText(value as Json);
}

function mapReader(values: Schema): ValueReader | undefined {
  const read = readerFor(values, values.embeddedResource);
  if (read === undefined) return undefined;
  return (value) =>
    isObject(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, read(value[key] as Json)])) : value;
}

/** A property that a rule does not see as it is. */
interface Change {
  readonly name: string;
  /** As rules write it. */
  readonly escaped: string;
  readonly read: ValueReader | undefined;
}

function objectReader(schema: Schema, isResource: boolean): ValueReader | undefined {
  const changes: Change[] = [];
  for (const [name, property] of isResource ? resourceProperties(schema) : schema.properties) {
    const escaped = escapeName(name);
    const read = readerFor(property, property.embeddedResource);
    if (escaped === undefined) continue;
    if (read !== undefined || property.nullable || escaped !== name) changes.push({ name, escaped, read });
  }
  return changes.length === 0 ? undefined : (value) => (isObject(value) ? withChanges(value, changes) : value);
}

/** The object with its properties converted; null counts as absent. */
function withChanges(object: JsonObject, changes: readonly Change[]): JsonMap {
  let changed: Record<string, Value> | undefined;
  for (const { name, escaped, read } of changes) {
    if (!Object.hasOwn(object, name)) continue;
    const before = object[name] as Json;
    const after = before === null || read === undefined ? before : read(before);
    if (after !== null && after === before && escaped === name) continue;
    changed ??= { ...object };
    if (escaped !== name || after === null) delete changed[name];
    if (after !== null) changed[escaped] = after;
  }
  return changed ?? object;
}

// What does a rule see of a text whose schema gives it a format?
//
// Read as Kubernetes does (kube-openapi's strfmt), which is laxer than CEL's own timestamp() and duration().

/** How texts of the format are read; undefined if they stay texts. */
export function formatReader(format: string | undefined): ((text: string) => Value) | undefined {
  const read = READERS.get(format ?? "");
  if (read === undefined) return undefined;
  const type = opaque(`text that is no ${format}`);
  return (text) => {
    const value = read(text);
    return value instanceof CelError ? new Unreadable(text, type) : value;
  };
}

/** A text that does not match the format of its schema. No function accepts it, and it equals no value. */
class Unreadable extends Boxed {
  readonly text: string;
  readonly type: Type;
  constructor(text: string, type: Type) {
    super();
    this.text = text;
    this.type = type;
  }
  equals(): boolean {
    return false;
  }
  toString(): string {
    return this.text;
  }
}

const READERS: ReadonlyMap<string, (text: string) => Result> = new Map([
  ["date-time", readDateTime],
  ["date", (text) => parseTimestamp(`${text}T00:00:00Z`)],
  ["duration", readDuration],
  ["byte", readBytes],
]);

function readDateTime(text: string): Result {
  if (text === "") return parseTimestamp("1970-01-01T00:00:00Z");
  // Without a time zone it is in UTC.
  return parseTimestamp(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?$/.test(text) ? `${text}Z` : text);
}

/** The alphabet of URLs, with padding. */
function readBytes(text: string): Result {
  const compact = text.replace(/[\r\n]/g, "");
  if (!/^[A-Za-z0-9_-]*={0,2}$/.test(compact) || compact.length % 4 !== 0) return new CelError("no base64");
  const bytes = decodeBase64(compact.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes === undefined ? new CelError("no base64") : new Bytes(bytes);
}

/** As Go writes it (`1h30m`), or numbers with units among anything else (`3 days and 2 hours`). */
function readDuration(text: string): Result {
  const plain = parseDuration(text);
  if (!(plain instanceof CelError)) return plain;
  let sum: bigint | undefined;
  for (const [, digits, word] of text.matchAll(/(\d{1,20})\s*([A-Za-zµ]+)/g)) {
    const unit = nanosecondsPer((word as string).toLowerCase());
    if (unit !== undefined) sum = (sum ?? 0n) + BigInt(digits as string) * unit;
  }
  return sum === undefined ? plain : durationOrOverflow(BigInt.asIntN(64, sum));
}
