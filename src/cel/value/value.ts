// What is a value while an expression runs?
//
// Input is used as it is, without a copy: JSON's null, booleans, strings, arrays and plain objects are CEL's null, bool,
// string, list and map. A JavaScript number is an int when it is a safe integer and a double otherwise; a double that
// happens to be a safe integer is boxed as `Double`, and an int beyond 2^53 is a bigint. Everything else that JSON
// cannot hold is a `Boxed` too.
import type { Type } from "../type.ts";

/** A value of an expression. */
export type Value = null | boolean | string | number | bigint | readonly Value[] | JsonMap | Boxed;

/** A map as input brings it: a plain object, read by its own keys only. */
export interface JsonMap {
  readonly [key: string]: Value;
}

/** A value that JSON cannot hold: it knows its type, what it equals and how it is written. */
export abstract class Boxed {
  /** Its CEL type; parameters are dyn. */
  abstract get type(): Type;
  /** Is it equal to that other value? Containers and numbers are compared in `equality.ts` instead. */
  abstract equals(other: Value): boolean;
  /** How large it is, as costs count it. */
  get size(): number {
    return 1;
  }
  /** Bytes or characters that are visited when it is compared or read; 1 for small values. */
  get weight(): number {
    return 1;
  }
  /** As `string()` and messages write it. */
  abstract toString(): string;
}

/** A part of an expression's text, in UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Why there is no value. It takes the place of a value, because `||` may absorb it. */
export class CelError {
  /** The message, or how to write it: most errors are absorbed, and to describe a large value takes long. */
  private text: string | (() => string);
  /** Where in the expression; undefined until the plan that met the error adds it. */
  readonly range: Range | undefined;
  /** What a function of a program threw, if that is the reason. */
  readonly cause: unknown;
  constructor(message: string | (() => string), range?: Range, cause?: unknown) {
    this.text = message;
    this.range = range;
    this.cause = cause;
  }
  get message(): string {
    if (typeof this.text === "function") this.text = this.text();
    return this.text;
  }
  toString(): string {
    return this.message;
  }
  /** The error with its place in the expression, if it has none yet. */
  placed({ start, end }: Range): CelError {
    return this.range === undefined ? new CelError(this.text, { start, end }, this.cause) : this;
  }
}

/** A value, or the error that took its place. */
export type Result = Value | CelError;

/** The data contains something that is not a CEL value, or cannot be read. Nothing absorbs this error. */
export class DataError extends CelError {
  /** There is this thing in it. */
  static of(what: unknown): DataError {
    return new DataError(() => `the data has ${kindOfData(what)}`);
  }
}

/** What to do about kinds of objects that are refused: some always, some because of what they contain. */
const INSTEAD: Readonly<Record<string, string>> = {
  Map: "its keys have to be strings, booleans or whole numbers, each once",
  Set: "give an array",
  Date: "it has to be valid and in the years 1 to 9999",
  Promise: "await it before",
};

/** Describes something that is not a CEL value, and what to pass instead. */
export function kindOfData(what: unknown): string {
  if (what instanceof CelError) return `an error, which is no value of CEL: ${what.message}`;
  if (typeof what !== "object")
    return `${typeof what === "undefined" ? "" : "a "}${typeof what}, which is no value of CEL`;
  const name = Object.prototype.toString.call(what).slice("[object ".length, -1);
  const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
  return `a ${name}, which is no value of CEL${instead === undefined ? "" : `; ${instead}`}`;
}

/** Is it a map from the input? A plain object or a class instance; only own properties count. */
export function isJsonMap(value: Result): value is JsonMap {
  if (typeof value !== "object") {
    if (value === undefined || typeof value === "function" || typeof value === "symbol") throw DataError.of(value);
    return false;
  }
  if (value === null || Array.isArray(value) || value instanceof Boxed || value instanceof CelError) return false;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  if (Object.prototype.toString.call(value) !== "[object Object]") throw DataError.of(value);
  return true;
}

/** Is it a value of CEL? Its content is not checked. */
export function isData(value: Result): value is Value {
  if (value instanceof CelError) return false;
  try {
    isJsonMap(value);
    return true;
  } catch (thrown) {
    if (thrown instanceof DataError) return false;
    throw thrown;
  }
}

/** Is it a list? */
export function isList(value: Result): value is readonly Value[] {
  return Array.isArray(value);
}

/** The message of an error, or the value as text. Any value can be thrown, even one that cannot be converted to text. */
export function reasonOf(thrown: unknown): string {
  try {
    return thrown instanceof Error || thrown instanceof CelError ? String(thrown.message) : String(thrown);
  } catch {
    return "something was thrown that cannot be written";
  }
}
