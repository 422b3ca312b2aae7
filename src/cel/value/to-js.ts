// Which value of JavaScript is this value of CEL?
//
// The table of both directions is in docs/cel-library.md; `from-js.ts` is the other one.
import { DYN, optionalContent, type Type } from "../type.ts";
import { Bytes, CelMap, Optional } from "./boxes.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { type Border, fromJS } from "./from-js.ts";
import { Instance } from "./instance.ts";
import { isMap, type MapValue, mapEntries, UNCOUNTED } from "./map-access.ts";
import { Double, double, isDouble, isInt, isNumber, type NumberValue, Uint } from "./number.ts";
import { Timestamp } from "./timestamp.ts";
import { Boxed, CelError, DataError, isList, type Result, reasonOf, type Value } from "./value.ts";

/** How values of CEL that JavaScript has two types for are given. */
export interface JsOptions {
  /** Ints and uints: `"bigint"` for all of them. Default: numbers, and bigints beyond 2^53. */
  readonly ints?: "bigint";
  /** Timestamps: `"timestamp"` for a `Timestamp`, always. Default: a `Date`, and a `Timestamp` if it is finer than milliseconds. */
  readonly timestamps?: "timestamp";
}

/** How values go out. */
export interface Exit extends JsOptions {
  /** Called for an int or a timestamp that the type of JavaScript cannot hold exactly; what it returns is used. */
  readonly inexact: (value: bigint | Timestamp) => unknown;
  /** Refuses a value that does not have the declared type, by throwing. */
  readonly refuse: (value: Value, wanted: Type) => never;
  /** Counts the parts that are visited. */
  readonly work: (units: number) => void;
  /** The copies that were made: a part that a value has many times is copied once, as its size may be exponential without. */
  readonly copies?: Map<Value, unknown>;
  /** Notes which kind of number was met where the type is a parameter: JavaScript has one kind for all. */
  readonly note?: (parameter: string, kind: NumberKind) => void;
}

/** The kinds of number that CEL has. */
export type NumberKind = "int" | "uint" | "double";

const LOSSLESS: Pick<Exit, "inexact" | "refuse" | "work"> = {
  inexact: (value) => value,
  refuse: (value) => value as never,
  work: () => undefined,
};

/**
 * A value of CEL as plain JavaScript, without loss: an int that a number cannot hold is a bigint, a timestamp that a Date
 * cannot hold a `Timestamp`. What has no counterpart (`Duration`, a quantity) stays what it is. Lists and maps are copied,
 * each once: those that a value has several times are one object in the copy, too.
 * Throws an EvaluationError if it is an error, or if data that is no value of CEL is part of it.
 */
export function toJS(result: Result, options: JsOptions = {}): unknown {
  if (result instanceof CelError) throw new EvaluationError(result);
  try {
    return out(fromJS(result, DYN, READING), DYN, { ...options, ...LOSSLESS, copies: new Map() });
  } catch (thrown) {
    throw new EvaluationError(
      thrown instanceof DataError ? thrown : new DataError(`the data cannot be read: ${reasonOf(thrown)}`),
    );
  }
}

/** A part of the data may be part of a result as it is. */
const READING: Border = {
  instanceOf: () => undefined,
  refuse: (what) => {
    if (typeof what === "bigint") return double(Number(what));
    throw DataError.of(what);
  },
};

/** A value of CEL as JavaScript. Lists and maps are copied: to change them changes no data. */
export function out(value: Value, type: Type, exit: Exit): unknown {
  switch (type.kind) {
    case "null":
      return value === null ? null : exit.refuse(value, type);
    case "bool":
      return typeof value === "boolean" ? value : exit.refuse(value, type);
    case "string":
      return typeof value === "string" ? value : exit.refuse(value, type);
    case "int":
      return isInt(value) ? whole(value, exit) : exit.refuse(value, type);
    case "uint":
      return value instanceof Uint ? whole(value.value, exit) : exit.refuse(value, type);
    case "double":
      return isDouble(value) ? any(value, exit) : exit.refuse(value, type);
    case "wrapper":
      return value === null ? null : out(value, type.of, exit);
    case "list":
      return isList(value) ? list(value, type.element, exit) : exit.refuse(value, type);
    case "map":
      return isMap(value) ? map(value, type.key, type.value, exit) : exit.refuse(value, type);
    case "bytes":
    case "timestamp":
    case "duration":
    case "type":
      return value instanceof Boxed && value.type.kind === type.kind ? any(value, exit) : exit.refuse(value, type);
    case "opaque": {
      if (!(value instanceof Boxed) || value.type.kind !== "opaque" || value.type.name !== type.name)
        return exit.refuse(value, type);
      const content = optionalContent(type);
      if (content === undefined || !(value instanceof Optional)) return any(value, exit);
      return value.content === undefined ? undefined : out(value.content, content, exit);
    }
    default:
      return any(value, exit, type);
  }
}

/** A value of any type; `within` is the type parameter that it is part of, if it is. */
function any(value: Value, exit: Exit, within: Type = DYN): unknown {
  if (typeof value !== "object" && typeof value !== "number" && typeof value !== "bigint") return value;
  if (value === null) return null;
  if (isNumber(value)) return anyNumber(value, exit, within);
  if (value instanceof Bytes) return Uint8Array.from(value.value);
  if (value instanceof Timestamp) return point(value, exit);
  if (value instanceof Instance) return value.instance;
  if (value instanceof Optional) return value.content === undefined ? undefined : any(value.content, exit, within);
  if (value instanceof Boxed && !(value instanceof CelMap)) return value;
  const known = exit.copies?.get(value);
  if (known !== undefined) return known;
  const copy = isList(value) ? list(value, within, exit) : map(value, DYN, within, exit);
  exit.copies?.set(value, copy);
  return copy;
}

function anyNumber(value: NumberValue, exit: Exit, within: Type): unknown {
  const kind: NumberKind = value instanceof Uint ? "uint" : isDouble(value) ? "double" : "int";
  if (within.kind === "parameter") exit.note?.(within.name, kind);
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return whole(value.value, exit);
  return kind === "double" ? value : whole(value, exit);
}

function whole(value: number | bigint, exit: Exit): unknown {
  if (exit.ints === "bigint") return BigInt(value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : exit.inexact(BigInt(value));
}

function point(value: Timestamp, exit: Exit): unknown {
  if (exit.timestamps === "timestamp") return value;
  if (value.nanos % 1_000_000 !== 0) return exit.inexact(value);
  return new Date(value.seconds * 1000 + value.nanos / 1_000_000);
}

function list(value: readonly Value[], element: Type, exit: Exit): unknown[] {
  exit.work(value.length);
  return Array.from(value, (item) => out(item, element, exit));
}

/** An object, if the declared keys are strings, or if they are not declared and all are strings; else a Map. */
function map(value: MapValue, key: Type, content: Type, exit: Exit): unknown {
  const entries = mapEntries(value, { ...UNCOUNTED, work: exit.work });
  const isObject = key.kind === "string" || (isUndeclared(key) && entries.every(([name]) => typeof name === "string"));
  if (!isObject) return new Map(entries.map(([name, item]) => [out(name, key, exit), out(item, content, exit)]));
  const object = {};
  for (const [name, item] of entries) {
    // An assignment would take __proto__ for the prototype.
    const property = { value: out(item, content, exit), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(object, out(name, key, exit) as string, property);
  }
  return object;
}

function isUndeclared(key: Type): boolean {
  return key.kind === "dyn" || key.kind === "parameter";
}
