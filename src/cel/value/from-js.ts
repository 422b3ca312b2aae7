// Which value of CEL is this value of JavaScript?
//
// The table of both directions is in docs/cel-library.md; `to-js.ts` is the other one. What is a value of CEL already is
// not copied: only what contains something else is, and only along the way to it.
import { DYN, optionalContent, type Type } from "../type.ts";
import { Bytes, CelMap, type MapKey, Optional, TypeValue } from "./boxes.ts";
import { Duration } from "./duration.ts";
import type { Instance } from "./instance.ts";
import { mapKey } from "./map-access.ts";
import { Double, double, int, isInt, UINT_MAX, Uint } from "./number.ts";
import { compareStrings } from "./text.ts";
import { FIRST_SECOND, LAST_SECOND, Timestamp } from "./timestamp.ts";
import { Boxed, CelError, DataError, isData, type JsonMap, type Value } from "./value.ts";

/** How values come in. */
export interface Border {
  /** The value for an object of a declared class. */
  readonly instanceOf: (object: object) => Instance | undefined;
  /**
   * Refuses what is no value of the wanted type, by throwing, or returns what stands for it. Without it, such a thing
   * stays what it is: an expression that looks at it gets a DataError.
   */
  readonly refuse?: (what: unknown, wanted: Type) => Value;
  /** Counts the parts that are visited. */
  readonly work?: (units: number) => void;
  /** Which kind of number a parameter of a type stands for; ints and doubles by their value if it is not known. */
  readonly numbersOf?: (parameter: string) => "int" | "uint" | "double" | undefined;
  /** Are all numbers doubles? Those in objects and lists are read so when they are asked for; a Map is converted at once. */
  readonly doubles?: boolean;
}

/** An array may say that it has more elements than there is memory for. */
const MAX_LIST = 10_000_000;

/** The value of CEL for a value of JavaScript, which is read as the type says: 3 is a double where a double is wanted. */
export function fromJS(value: unknown, type: Type, border: Border): Value {
  if (type.kind === "dyn" && border.refuse === undefined && isSmallAndPlain(value)) return value as Value;
  return new Reader(border).read(value, type);
}

const SMALL = 64;

/** Is it made of a few plain objects, lists and scalars? Most data is, and then there is nothing to do. */
function isSmallAndPlain(value: unknown): boolean {
  try {
    return smallRest(value, SMALL) >= 0;
  } catch {
    return false;
  }
}

/** What is left of the room if the value is made of plain objects, lists and scalars; negative if not, or if it is larger. */
function smallRest(value: unknown, room: number): number {
  if (typeof value !== "object" || value === null) return isBeyondInts(value) ? -1 : room - 1;
  let left = room - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = smallRest(value[index], left);
    return left;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value instanceof Double ? left : -1;
  for (const key in value) {
    if (left < 0) break;
    left = smallRest((value as JsonMap)[key], left);
  }
  return left;
}

class Reader {
  readonly #border: Border;
  /** What became of objects that were met before: data may share its parts, or contain itself. */
  readonly #known = new Map<object, unknown>();

  constructor(border: Border) {
    this.#border = border;
  }

  read(value: unknown, type: Type): Value {
    switch (type.kind) {
      case "dyn":
      case "parameter":
      case "error":
        return this.#any(value, type);
      case "null":
        return value === null ? value : this.#refused(value, type);
      case "bool":
        return typeof value === "boolean" ? value : this.#refused(value, type);
      case "string":
        return typeof value === "string" ? value : this.#refused(value, type);
      case "int":
        // Data that is a number is an int only up to 2^53, whatever is declared.
        if (this.#border.refuse === undefined) return this.#any(value, DYN);
        return wholeNumber(value) ?? this.#refused(value, type);
      case "uint":
        return value instanceof Uint ? value : (unsigned(value) ?? this.#refused(value, type));
      case "double":
        if (value instanceof Double) return value;
        return typeof value === "number" ? double(value) : this.#refused(value, type);
      case "bytes":
      case "timestamp":
      case "duration":
      case "type":
        return this.#boxed(value, type);
      case "wrapper":
        return value === null ? null : this.read(value, type.of);
      case "list":
        return Array.isArray(value) ? this.#list(value, type.element) : this.#refused(value, type);
      case "map":
        return this.#map(value, type.key, type.value, type);
      case "object":
        return this.#map(value, DYN, DYN, type);
      case "opaque":
        return this.#opaque(value, type);
    }
  }

  #refused(value: unknown, type: Type): Value {
    if (this.#border.refuse !== undefined) return this.#border.refuse(value, type);
    // Data may have another type than declared: the operation that does not work on it reports that.
    return this.#any(value, DYN);
  }

  #any(value: unknown, type: Type): Value {
    if (typeof value !== "object" || value === null) {
      if (this.#border.refuse === undefined) return isBeyondInts(value) ? double(Number(value)) : (value as Value);
      const kind = type.kind === "parameter" ? this.#border.numbersOf?.(type.name) : undefined;
      if (kind === "double" && typeof value === "number") return double(value);
      const read = kind === "uint" ? (unsigned(value) ?? value) : value;
      return read instanceof Uint || isScalar(read) ? read : this.#border.refuse(value, type);
    }
    const within = type.kind === "parameter" ? type : DYN;
    if (value instanceof Optional) {
      const content = value.content === undefined ? undefined : this.#any(value.content, within);
      return content === value.content ? value : new Optional(content);
    }
    if (value instanceof Boxed && !(value instanceof CelMap)) return value;
    const known = this.#known.get(value);
    if (known !== undefined) {
      if (known !== IN_PROGRESS) return known as Value;
      if (this.#border.refuse !== undefined) throw new RangeError("it contains itself");
      return value as unknown as Value;
    }
    this.#known.set(value, IN_PROGRESS);
    const read = Array.isArray(value) ? this.#list(value, within) : this.#object(value, type);
    this.#known.set(value, read);
    return read;
  }

  #object(value: object, type: Type): Value {
    const converted = value instanceof CelMap ? undefined : this.#counterpart(value);
    if (converted !== undefined) return converted;
    if (value instanceof CelError || !isData(value as Value))
      return this.#border.refuse === undefined ? (value as Value) : this.#border.refuse(value, type);
    const within = type.kind === "parameter" ? type : DYN;
    return this.#map(value, within, within, type);
  }

  /** The value for an object of a declared class, or of a class of JavaScript that has a counterpart in CEL. */
  #counterpart(value: object): Value | undefined {
    const prototype = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return undefined;
    const instance = this.#border.instanceOf(value);
    if (instance !== undefined) return instance;
    switch (Object.prototype.toString.call(value)) {
      case "[object Date]":
        return timestampOf(value as Date);
      case "[object Uint8Array]":
        return value instanceof Uint8Array ? new Bytes(Uint8Array.from(value)) : undefined;
      case "[object Map]":
        return value instanceof Map ? this.#entries(value, DYN, DYN) : undefined;
      default:
        return undefined;
    }
  }

  #boxed(value: unknown, type: Type): Value {
    const read = typeof value === "object" && value !== null ? this.#any(value, type) : value;
    const fits =
      (type.kind === "bytes" && read instanceof Bytes) ||
      (type.kind === "timestamp" && read instanceof Timestamp) ||
      (type.kind === "duration" && read instanceof Duration) ||
      (type.kind === "type" && read instanceof TypeValue);
    return fits ? (read as Value) : this.#refused(value, type);
  }

  #opaque(value: unknown, type: Type & { kind: "opaque" }): Value {
    const content = optionalContent(type);
    if (content !== undefined) {
      if (value === undefined) return Optional.none;
      if (!(value instanceof Optional)) return new Optional(this.read(value, content));
      return value.content === undefined ? value : new Optional(this.read(value.content, content));
    }
    const read = typeof value === "object" && value !== null ? this.#any(value, type) : value;
    const fits = read instanceof Boxed && read.type.kind === "opaque" && read.type.name === type.name;
    return fits ? read : this.#refused(value, type);
  }

  #list(list: readonly unknown[], element: Type): readonly Value[] {
    this.#border.work?.(list.length);
    if (list.length > MAX_LIST)
      throw new DataError(
        () => `a list with ${list.length} elements is too long to be converted; at most ${MAX_LIST} are`,
      );
    let copy: Value[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const read = this.read(list[index], element);
      if (copy === undefined && read !== list[index]) copy = list.slice(0, index) as Value[];
      copy?.push(read);
    }
    return copy ?? (list as readonly Value[]);
  }

  /** A map, by the types of its keys and values; `type` is that of the whole. */
  #map(value: unknown, key: Type, content: Type, type: Type): Value {
    if (value instanceof Map) return this.#entries(value, key, content) ?? this.#refused(value, type);
    if (value instanceof CelMap) {
      const entries = this.#entries(new Map(value.entries.values()), key, content) ?? this.#refused(value, type);
      return entries instanceof CelMap && isSame(entries, value) ? value : entries;
    }
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Boxed);
    if (!isObject || value instanceof CelError || !isData(value as Value)) return this.#refused(value, type);
    if (this.#counterpart(value) !== undefined) return this.#refused(value, type);
    if (key.kind !== "string" && key.kind !== "dyn" && key.kind !== "parameter") return this.#refused(value, type);
    return this.#properties(value as JsonMap, content, type.kind === "object" ? type.fields : undefined);
  }

  #properties(map: JsonMap, content: Type, fields: ReadonlyMap<string, Type> | undefined): JsonMap {
    let changed: Map<string, Value> | undefined;
    const keys = Object.keys(map);
    this.#border.work?.(1 + keys.length);
    for (const key of keys) {
      let property: unknown;
      try {
        property = map[key];
      } catch (thrown) {
        if (this.#border.refuse !== undefined) throw thrown;
        // Reading the property gives the error.
        continue;
      }
      // An undefined property is not there.
      if (property === undefined) continue;
      const read = this.read(property, fields?.get(key) ?? content);
      if (read === property) continue;
      changed ??= new Map();
      changed.set(key, read);
    }
    return changed === undefined ? map : withProperties(map, changed);
  }

  /**
   * The map with the entries of a Map; undefined if a key is neither a string nor a bool nor an int, or is there twice. As
   * with all data, the order of the entries has no effect.
   */
  #entries(map: ReadonlyMap<unknown, unknown>, key: Type, content: Type): Value | undefined {
    this.#border.work?.(1 + map.size);
    const entries: [MapKey, readonly [Value, Value]][] = [];
    for (const [given, value] of map) {
      const read = typeof given === "string" || typeof given === "boolean" ? given : numericKey(given, key);
      const found = read === undefined || !isKeyOf(read, key) ? undefined : mapKey(read);
      if (read === undefined || found === undefined) return undefined;
      if (value === undefined) continue;
      const item = this.read(value, content);
      entries.push([found, [read, this.#border.doubles === true ? readDoubles(item) : item]]);
    }
    entries.sort(([a], [b]) => compareKeys(a, b));
    const unique = new Map(entries);
    return unique.size === entries.length ? new CelMap(unique) : undefined;
  }
}

/** A copy of an object with other values for some of its properties. A getter still reads the object that it belongs to. */
export function withProperties(map: JsonMap, changed: ReadonlyMap<string, Value>): JsonMap {
  const copy: Record<string, Value> = Object.create(null);
  for (const key of Object.getOwnPropertyNames(map)) {
    const { enumerable = false, get, value } = Object.getOwnPropertyDescriptor(map, key) as PropertyDescriptor;
    if (changed.has(key)) Object.defineProperty(copy, key, { enumerable, value: changed.get(key) });
    else if (get === undefined) Object.defineProperty(copy, key, { enumerable, value });
    else Object.defineProperty(copy, key, { enumerable, get: () => map[key] });
  }
  return copy;
}

const IN_PROGRESS: unique symbol = Symbol("in progress");

function isSame(a: CelMap, b: CelMap): boolean {
  return [...a.entries].every(([key, entry]) => b.entries.get(key)?.[1] === entry[1]);
}

function readDoubles(value: Value): Value {
  if (isInt(value)) return double(Number(value));
  return Array.isArray(value) ? value.map(readDoubles) : value;
}

/** Do 64 bits not hold it? It is a double then. */
function isBeyondInts(value: unknown): value is bigint {
  return typeof value === "bigint" && int(value) === undefined;
}

function isScalar(value: unknown): value is Value {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "number":
      return true;
    case "bigint":
      return int(value) !== undefined;
    default:
      return value === null;
  }
}

/** The int that a number or bigint is, if 64 bits hold it. */
function wholeNumber(value: unknown): number | bigint | undefined {
  if (typeof value === "bigint") return int(value);
  return typeof value === "number" && Number.isInteger(value) ? int(BigInt(value)) : undefined;
}

function unsigned(value: unknown): Uint | undefined {
  const whole = typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
  return typeof whole === "bigint" && whole >= 0n && whole <= UINT_MAX ? new Uint(whole) : undefined;
}

function numericKey(key: unknown, type: Type): Value | undefined {
  if (key instanceof Uint) return key;
  return type.kind === "uint" ? unsigned(key) : wholeNumber(key);
}

function isKeyOf(key: Value, type: Type): boolean {
  switch (type.kind) {
    case "string":
      return typeof key === "string";
    case "bool":
      return typeof key === "boolean";
    case "int":
      return isInt(key);
    case "uint":
      return key instanceof Uint;
    default:
      return true;
  }
}

const RANKS: readonly string[] = ["boolean", "number", "bigint", "string"];

/** Bools, then numbers, then strings. */
function compareKeys(a: MapKey, b: MapKey): number {
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  const isNumeric = (key: MapKey): boolean => typeof key === "number" || typeof key === "bigint";
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0;
  return RANKS.indexOf(typeof a) - RANKS.indexOf(typeof b) || Number(a) - Number(b);
}

/** The point in time; undefined for a Date that is invalid or out of range. */
function timestampOf(date: Date): Timestamp | undefined {
  const milliseconds = Date.prototype.getTime.call(date);
  const seconds = Math.floor(milliseconds / 1000);
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return undefined;
  return new Timestamp(seconds, (milliseconds - seconds * 1000) * 1_000_000);
}
