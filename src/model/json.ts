// What is a value of a document? JSON, with one addition: an integer beyond 2^53 is a bigint, so that no digit of the
// input is lost.

/** Any value of a document. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/**
 * A mapping of a document. Only its own keys count: a key that is not a literal in the code is read with {@link own}.
 */
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The own value of an object under a key; never an inherited one. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The object of a field; an empty one if there is none. */
export function partOf(object: JsonObject, key: string): JsonObject {
  const value = own(object, key);
  return isObject(value) ? value : NO_FIELDS;
}

const NO_FIELDS: JsonObject = Object.freeze({});

/** The type of a value for messages. */
export function typeName(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "boolean":
      return "true or false";
    case "number":
    case "bigint":
      return "a number";
    case "string":
      return "text";
    default:
      return "an object";
  }
}

/** Order by UTF-16 code units: used for all sorting, independent of the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Each value once, in order: of those with equal JSON text the last. */
export function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((one) => [JSON.stringify(one), one])).values()];
}

/** The fields of an object that are known, as an answer holds them: those without a value are left out. */
export function given<const Fields extends object>(fields: Fields): Given<Fields> {
  const known: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[key];
    if (value !== undefined) known[key] = value;
  }
  return known as Given<Fields>;
}

type Given<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined> };

/** Compact JSON text with sorted keys: equal values have equal text. No undefined fields. */
export function canonicalText(value: Json): string {
  if (typeof value === "object" && value !== null) {
    const sorted = hasSortedKeys(value) ? value : sortedCopy(value);
    if (sorted !== undefined) return JSON.stringify(sorted);
  }
  return composedText(value);
}

/** Does JSON.stringify print a value with sorted keys, as it is? So are those of most generated files. */
function hasSortedKeys(value: Json): boolean {
  if (typeof value === "bigint") return false;
  if (typeof value !== "object" || value === null) return true;
  if (isList(value)) return value.every(hasSortedKeys);
  const object = value as JsonObject;
  let before = "";
  // Objects of JSON inherit nothing that is enumerable.
  for (const key in object) {
    const part = object[key];
    if (key < before || part === undefined || !hasSortedKeys(part)) return false;
    before = key;
  }
  return true;
}

/**
 * A copy that JSON.stringify prints with sorted keys. Undefined if there is none, because of bigints or of keys that
 * JavaScript orders itself.
 */
function sortedCopy(value: Json): Json | undefined {
  if (typeof value === "bigint") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) {
    const copy: Json[] = [];
    for (const item of value) {
      const sorted = sortedCopy(item);
      if (sorted === undefined) return undefined;
      copy.push(sorted);
    }
    return copy;
  }
  const object = value as JsonObject;
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(object).sort()) {
    const part = object[key];
    const sorted = part === undefined ? undefined : sortedCopy(part);
    if (sorted === undefined || key === "__proto__") return undefined;
    copy[key] = sorted;
  }
  return isSorted(Object.keys(copy)) ? copy : undefined;
}

function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++)
    if ((keys[index - 1] as string) > (keys[index] as string)) return false;
  return true;
}

function composedText(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(composedText).join(",")}]`;
  const object = value as JsonObject;
  const pairs = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${composedText(object[key] as Json)}`);
  return `{${pairs.join(",")}}`;
}

/** The first characters of the canonical text, at least as many as asked if it is longer; nothing after them is looked at. */
export function canonicalBeginning(value: Json, length: number): string {
  if (typeof value !== "object" || value === null) return composedText(value);
  const isItems = isList(value);
  const object = value as JsonObject;
  const keys = isItems ? value.keys() : Object.keys(object).sort();
  let text = isItems ? "[" : "{";
  let isFirst = true;
  for (const key of keys) {
    const part = object[key];
    if (part === undefined) continue;
    if (!isFirst) text += ",";
    isFirst = false;
    if (!isItems) text += `${JSON.stringify(key)}:`;
    if (text.length >= length) return text;
    text += canonicalBeginning(part, length - text.length);
    if (text.length >= length) return text;
  }
  return `${text}${isItems ? "]" : "}"}`;
}

/** The value of a canonical text: integers beyond 2^53 are bigints. */
export function readCanonical(text: string): Json {
  // Numbers that JSON.parse would round are marked as strings; strings are marked, too, so that they stay distinct.
  const marked = text.replace(STRINGS_AND_NUMBERS, (token) => {
    if (token.startsWith('"')) return `"s${token.slice(1)}`;
    return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"n${token}"` : token;
  });
  return unmarked(JSON.parse(marked) as Json);
}

const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

function unmarked(value: Json): Json {
  if (typeof value === "string") return value.startsWith("n") ? BigInt(value.slice(1)) : value.slice(1);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(unmarked);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.slice(1), unmarked(part as Json)]));
}

/**
 * The same value with texts of its own: a text that was cut out of a longer one keeps that in memory, such as a name the
 * file that it is from.
 */
export function detached<Value extends Json>(value: Value): Value {
  if (typeof value === "string") return JSON.parse(JSON.stringify(value)) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(detached) as Json as Value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, detached(part as Json)])) as Json as Value;
}

/** JSON text, indented by two spaces; a bigint is written as its digits. */
export function printJson(value: Json, indent = ""): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (isList(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => inner + printJson(item, inner)).join(",\n")}\n${indent}]`;
  }
  const pairs = Object.entries(value as JsonObject).map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${printJson(item, inner)}`,
  );
  return pairs.length === 0 ? "{}" : `{\n${pairs.join(",\n")}\n${indent}}`;
}

/** Are two values of plain data equal? Stricter than an expression: 1 and 1n differ. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, index) => isSame(element, b[index]));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame((a as JsonObject)[key], (b as JsonObject)[key]));
}
