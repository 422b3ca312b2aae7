// How does a value of one type become one of another?
import { ONE, sizeAt, traversal } from "../../cost/range.ts";
import { sizeOf, traversalCost } from "../../cost/size.ts";
import { type CallDetails, globalFunction, type Overload } from "../../library.ts";
import { BOOL, BYTES, DOUBLE, DYN, INT, parameter, STRING, type Type, typeOf, UINT } from "../../type.ts";
import { Bytes } from "../../value/boxes.ts";
import { describeValue } from "../../value/describe.ts";
import {
  type Double,
  double,
  doubleOf,
  INT_OVERFLOW,
  intOrOverflow,
  printDouble,
  UINT_OVERFLOW,
  type Uint,
  uintOrOverflow,
} from "../../value/number.ts";
import { typeValueOf } from "../../value/type-of-value.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";

const A: Type = parameter("A");

type AnyInt = number | bigint;
type AnyDouble = number | Double;

const same = (value: Value): Value => value;

/** Returns its argument. */
const asItIs: CallDetails = {
  atOnce: true,
  estimate: (args) => ({ cost: ONE, size: sizeAt(args, 0) }),
};

function cannot(value: Value, type: string): CelError {
  return new CelError(() => `${describeValue(value)} is no ${type}`);
}

/** Longer texts do not fit into 64 bits. */
const MAX_NUMBER_LENGTH = 400;

function intFromText(text: string): Result {
  if (text.length > MAX_NUMBER_LENGTH || !/^[+-]?[0-9]+$/.test(text)) return cannot(text, "int");
  const value = intOrOverflow(BigInt(text.replace(/^\+/, "")));
  return value instanceof CelError ? cannot(text, "int: it does not fit into 64 bits") : value;
}

function uintFromText(text: string): Result {
  if (text.length > MAX_NUMBER_LENGTH || !/^[0-9]+$/.test(text)) return cannot(text, "uint");
  const value = uintOrOverflow(BigInt(text));
  return value instanceof CelError ? cannot(text, "uint: it does not fit into 64 bits") : value;
}

/** Doubles strictly between the limits lose their fraction; the limits themselves are refused, as in cel-go. */
function intFromDouble(value: AnyDouble): Result {
  const number = doubleOf(value);
  if (!(number > -(2 ** 63) && number < 2 ** 63)) return INT_OVERFLOW;
  return intOrOverflow(BigInt(Math.trunc(number)));
}

function uintFromDouble(value: AnyDouble): Result {
  const number = doubleOf(value);
  if (!(number >= 0 && number < 2 ** 64)) return UINT_OVERFLOW;
  return uintOrOverflow(BigInt(Math.trunc(number)));
}

const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const SPECIAL = /^([+-]?)(?:(inf(?:inity)?)|(nan))$/i;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)$/;

/** What Go reads as a float: decimal, hexadecimal with an exponent, inf, nan; a number that is too large is refused. */
function doubleFromText(text: string): Result {
  if (text.length > MAX_NUMBER_LENGTH) return cannot(text, "double");
  const plain = /^_|_$|__/.test(text) ? text : text.replace(/([0-9a-fA-F])_(?=[0-9a-fA-F])/g, "$1");
  if (DECIMAL.test(plain)) {
    const number = Number(plain);
    return Number.isFinite(number) ? double(number) : cannot(text, "double: it is too large");
  }
  const special = SPECIAL.exec(plain);
  if (special !== null)
    return special[3] === undefined ? Number.POSITIVE_INFINITY * (special[1] === "-" ? -1 : 1) : Number.NaN;
  const hexadecimal = HEXADECIMAL.exec(plain);
  if (hexadecimal === null) return cannot(text, "double");
  const [, sign, whole = "", fraction = "", exponent] = hexadecimal;
  const digits = whole + fraction;
  if (digits === "") return cannot(text, "double");
  const number = Number(`0x${digits}`) * 2 ** (Number(exponent) - 4 * fraction.length);
  return Number.isFinite(number) ? double(sign === "-" ? -number : number) : cannot(text, "double: it is too large");
}

const TRUE_WORDS: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const FALSE_WORDS: ReadonlySet<string> = new Set(["0", "f", "F", "FALSE", "false", "False"]);

function boolFromText(text: string): Result {
  if (TRUE_WORDS.has(text)) return true;
  return FALSE_WORDS.has(text) ? false : cannot(text, "bool");
}

const textFromDouble = (value: AnyDouble): string => printDouble(doubleOf(value));
const bytesFromText = (value: string): Bytes => new Bytes(new TextEncoder().encode(value));

function textFromBytes(bytes: Bytes): Result {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.value);
  } catch {
    return new CelError("the bytes are no valid UTF-8");
  }
}

/** Converting between text and bytes traverses all of it; a character has up to four bytes. */
function throughText(least: 0.25 | 1, most: 1 | 4): CallDetails {
  return {
    cost: ([value], running) => traversalCost(sizeOf(value as Value, running)),
    estimate: (args) => {
      const { min, max } = sizeAt(args, 0);
      return { cost: traversal({ min, max }), size: { min: Math.floor(min * least), max: max * most } };
    },
  };
}

/** Strings of numbers are short. */
const shortText: CallDetails = { estimate: () => ({ cost: ONE, size: { min: 1, max: 32 } }) };

const numbers: readonly Overload[] = [
  globalFunction("int", "int64_to_int64", [INT], INT, same),
  globalFunction("int", "uint64_to_int64", [UINT], INT, (value: Uint) => intOrOverflow(value.value)),
  globalFunction("int", "double_to_int64", [DOUBLE], INT, intFromDouble),
  globalFunction("int", "string_to_int64", [STRING], INT, intFromText),
  globalFunction("uint", "uint64_to_uint64", [UINT], UINT, same),
  globalFunction("uint", "int64_to_uint64", [INT], UINT, (value: AnyInt) => uintOrOverflow(BigInt(value))),
  globalFunction("uint", "double_to_uint64", [DOUBLE], UINT, uintFromDouble),
  globalFunction("uint", "string_to_uint64", [STRING], UINT, uintFromText),
  globalFunction("double", "double_to_double", [DOUBLE], DOUBLE, same),
  // Data may have a -0, which is the int 0.
  globalFunction("double", "int64_to_double", [INT], DOUBLE, (value: AnyInt) => double(Number(value) + 0)),
  globalFunction("double", "uint64_to_double", [UINT], DOUBLE, (value: Uint) => double(Number(value.value))),
  globalFunction("double", "string_to_double", [STRING], DOUBLE, doubleFromText),
];

const others: readonly Overload[] = [
  globalFunction("bool", "bool_to_bool", [BOOL], BOOL, same),
  globalFunction("bool", "string_to_bool", [STRING], BOOL, boolFromText),
  globalFunction("string", "string_to_string", [STRING], STRING, same, asItIs),
  globalFunction("string", "bool_to_string", [BOOL], STRING, (value: boolean) => String(value), shortText),
  globalFunction("string", "int64_to_string", [INT], STRING, (value: AnyInt) => String(value), shortText),
  globalFunction("string", "uint64_to_string", [UINT], STRING, (value: Uint) => String(value), shortText),
  globalFunction("string", "double_to_string", [DOUBLE], STRING, textFromDouble, shortText),
  globalFunction("string", "bytes_to_string", [BYTES], STRING, textFromBytes, throughText(0.25, 1)),
  globalFunction("bytes", "bytes_to_bytes", [BYTES], BYTES, same, asItIs),
  globalFunction("bytes", "string_to_bytes", [STRING], BYTES, bytesFromText, throughText(1, 4)),
  globalFunction("dyn", "to_dyn", [A], DYN, same, asItIs),
  globalFunction("type", "type", [A], typeOf(A), typeValueOf, { atOnce: true }),
];

/** `int`, `uint`, `double`, `bool`, `string`, `bytes`, `dyn`, `type` */
export const conversionFunctions: readonly Overload[] = [...numbers, ...others];
