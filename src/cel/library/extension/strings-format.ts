// What is the result of `'%s has %d nodes'.format([name, count])`?

import type { Prepare, Running } from "../../library.ts";
import { printType } from "../../type.ts";
import { Bytes, TypeValue } from "../../value/boxes.ts";
import { Duration } from "../../value/duration.ts";
import { isMap, mapEntries } from "../../value/map-access.ts";
import { doubleOf, isDouble, isInt, Uint } from "../../value/number.ts";
import { compareStrings } from "../../value/text.ts";
import { Timestamp } from "../../value/timestamp.ts";
import { typeOfValue } from "../../value/type-of-value.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { writeFixed, writePlain, writeScientific } from "./format-number.ts";

/** Digits after the point when a clause does not say how many, and the most it may say. */
const DEFAULT_PRECISION = 6;
const MAX_PRECISION = 100;

/** The text with each clause replaced by the next argument. */
export function format(text: string, args: readonly Value[], running: Running): Result {
  const parts = readFormat(text);
  return parts instanceof CelError ? parts : fill(parts, args, running);
}

/** A literal format is parsed once, and the checker reports a mistake in it. */
export const prepareFormat: Prepare = {
  argument: 0,
  specialise: (text) => {
    const parts = readFormat(text as string);
    if (parts instanceof CelError) return { mistake: parts.message };
    return (_text: string, args: readonly Value[], running: Running) => fill(parts, args, running);
  },
};

function fill(parts: readonly (string | Clause)[], args: readonly Value[], running: Running): Result {
  let written = "";
  let next = 0;
  for (const part of parts) {
    let text: string | CelError;
    if (typeof part === "string") text = part;
    else {
      const arg = args[next++];
      if (arg === undefined)
        return new CelError(`the format has more clauses than the ${args.length} arguments it is given`);
      text = writeClause(part, arg, running);
      if (text instanceof CelError) return text;
    }
    running.allocate(text.length);
    written += text;
  }
  return written;
}

/** The text between clauses, and the clauses. */
function readFormat(text: string): (string | Clause)[] | CelError {
  const parts: (string | Clause)[] = [];
  let at = 0;
  for (let percent = text.indexOf("%"); percent >= 0; percent = text.indexOf("%", at)) {
    if (percent > at) parts.push(text.slice(at, percent));
    if (text[percent + 1] === "%") {
      parts.push("%");
      at = percent + 2;
      continue;
    }
    const clause = readClause(text, percent);
    if (clause instanceof CelError) return clause;
    parts.push(clause);
    at = clause.end;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

const LETTERS: readonly string[] = ["s", "d", "f", "e", "b", "o", "x", "X"] satisfies Letter[];
type Letter = "s" | "d" | "f" | "e" | "b" | "o" | "x" | "X";

/** `%.2f`: how to write an argument. */
interface Clause {
  readonly letter: Letter;
  readonly precision: number;
  readonly end: number;
}

function readClause(text: string, percent: number): Clause | CelError {
  let at = percent + 1;
  let precision = DEFAULT_PRECISION;
  if (text[at] === ".") {
    const start = ++at;
    while (isDigit(text, at)) at++;
    const digits = text.slice(start, at);
    if (digits === "") return new CelError("the format has a %. without a number of digits after it");
    precision = Number(digits);
    if (precision > MAX_PRECISION)
      return new CelError(`the format wants ${digits.slice(0, 20)} digits, more than ${MAX_PRECISION}`);
  }
  if (at >= text.length) return new CelError("the format ends in the middle of a clause");
  const letter = String.fromCodePoint(text.codePointAt(at) as number);
  if (!LETTERS.includes(letter)) return new CelError(`the format has a clause %${letter}, which does not exist`);
  return { letter: letter as Letter, precision, end: at + 1 };
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function writeClause({ letter, precision }: Clause, arg: Value, running: Running): string | CelError {
  switch (letter) {
    case "s":
      return writeText(arg, running);
    case "d":
      return isNumeric(arg) ? writePlainNumber(arg) : unfit("%d", "ints, uints and doubles", arg);
    case "f":
      return isNumeric(arg) ? writeFixed(asDouble(arg), precision) : unfit("%f", "ints, uints and doubles", arg);
    case "e":
      return isNumeric(arg) ? writeScientific(asDouble(arg), precision) : unfit("%e", "ints, uints and doubles", arg);
    case "b":
      if (typeof arg === "boolean") return arg ? "1" : "0";
      return writeInteger(arg, 2) ?? unfit("%b", "ints, uints and bools", arg);
    case "o":
      return writeInteger(arg, 8) ?? unfit("%o", "ints and uints", arg);
    case "x":
      return writeHexadecimal(arg, running) ?? unfit("%x", "ints, uints, strings and bytes", arg);
    case "X":
      return writeHexadecimal(arg, running)?.toUpperCase() ?? unfit("%X", "ints, uints, strings and bytes", arg);
  }
}

type Numeric = number | bigint | Uint | Extract<Value, { readonly value: number }>;

function isNumeric(arg: Value): arg is Numeric {
  return isInt(arg) || isDouble(arg) || arg instanceof Uint;
}

function asDouble(arg: Numeric): number {
  if (isDouble(arg)) return doubleOf(arg);
  return Number(arg instanceof Uint ? arg.value : arg);
}

function writePlainNumber(arg: Numeric): string {
  return isDouble(arg) ? writePlain(doubleOf(arg)) : String(arg);
}

function writeInteger(arg: Value, base: number): string | undefined {
  if (isInt(arg)) return arg.toString(base);
  return arg instanceof Uint ? arg.value.toString(base) : undefined;
}

function writeHexadecimal(arg: Value, running: Running): string | undefined {
  const bytes = typeof arg === "string" ? new TextEncoder().encode(arg) : arg instanceof Bytes ? arg.value : undefined;
  if (bytes === undefined) return writeInteger(arg, 16);
  running.allocate(2 * bytes.length);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function unfit(clause: string, takes: string, arg: Value): CelError {
  return new CelError(`${clause} writes ${takes}, not ${printType(typeOfValue(arg))}`);
}

/** The value in words: lists in brackets, maps in braces and sorted by their written keys, times in UTC. */
function writeText(value: Value, running: Running): string | CelError {
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
