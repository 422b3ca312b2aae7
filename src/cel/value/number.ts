// How are CEL's three kinds of number held, and what do they compare to?
import { DOUBLE, type Type, UINT } from "../type.ts";
import { Boxed, CelError, type Result, type Value } from "./value.ts";

export const INT_MIN: bigint = -(2n ** 63n);
export const INT_MAX: bigint = 2n ** 63n - 1n;
export const UINT_MAX: bigint = 2n ** 64n - 1n;

/** A double whose value is a safe integer; as a bare number it would be an int. */
export class Double extends Boxed {
  readonly value: number;
  constructor(value: number) {
    super();
    this.value = value;
  }
  get type(): Type {
    return DOUBLE;
  }
  equals(other: Value): boolean {
    return isNumber(other) && compareNumbers(this, other) === 0;
  }
  toString(): string {
    return printDouble(this.value);
  }
}

/** An unsigned 64-bit integer. */
export class Uint extends Boxed {
  readonly value: bigint;
  constructor(value: bigint) {
    super();
    this.value = value;
  }
  get type(): Type {
    return UINT;
  }
  equals(other: Value): boolean {
    return isNumber(other) && compareNumbers(this, other) === 0;
  }
  toString(): string {
    return String(this.value);
  }
}

/** An int, a uint or a double. */
export type NumberValue = number | bigint | Double | Uint;

/** Is it an int? */
export function isInt(value: Result): value is number | bigint {
  return typeof value === "number" ? Number.isSafeInteger(value) : typeof value === "bigint";
}

/** Is it a double? */
export function isDouble(value: Result): value is number | Double {
  return typeof value === "number" ? !Number.isSafeInteger(value) : value instanceof Double;
}

/** Is it a number of any kind? */
export function isNumber(value: Result): value is NumberValue {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Double || value instanceof Uint;
}

/** The double with this value. */
export function double(value: number): number | Double {
  return Number.isSafeInteger(value) ? new Double(value) : value;
}

/** The JavaScript number in a double. */
export function doubleOf(value: number | Double): number {
  return typeof value === "number" ? value : value.value;
}

/** The int with this value: a number while it is safe, a bigint beyond; undefined when 64 bits do not hold it. */
export function int(value: bigint): number | bigint | undefined {
  if (value >= -9007199254740991n && value <= 9007199254740991n) return Number(value);
  return value >= INT_MIN && value <= INT_MAX ? value : undefined;
}

export const INT_OVERFLOW: CelError = new CelError("integer overflow");
export const UINT_OVERFLOW: CelError = new CelError("unsigned integer overflow");

/** The int with this value, or the overflow. */
export function intOrOverflow(value: bigint): Result {
  return int(value) ?? INT_OVERFLOW;
}

/** The uint with this value, or the overflow. */
export function uintOrOverflow(value: bigint): Result {
  return value >= 0n && value <= UINT_MAX ? new Uint(value) : UINT_OVERFLOW;
}

/**
 * Negative, zero or positive, as numbers of any kinds compare on one number line; NaN compares to nothing, which is
 * NaN here (so that `< 0`, `=== 0` and `> 0` are all false). Beside a double an integer is taken as a double, as the
 * official tests want it, so that 9223372036854775807 equals 9223372036854775808.0.
 */
export function compareNumbers(a: NumberValue, b: NumberValue): number {
  if (typeof a === "number" && typeof b === "number") return order(a, b);
  if (isDouble(a) || isDouble(b)) return order(Number(plain(a)), Number(plain(b)));
  return order(plain(a), plain(b));
}

function order(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : a <= b ? 0 : Number.NaN;
}

function plain(value: NumberValue): number | bigint {
  return typeof value === "number" || typeof value === "bigint" ? value : value.value;
}

/** The shortest text that reads back as the double, with an exponent from a million on, as Go's `%g` writes it. */
export function printDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (value === Number.NEGATIVE_INFINITY) return "-Inf";
  if (Object.is(value, -0)) return "-0";
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  const power = Number(exponent);
  if (power < -4 || power >= 6) {
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  return String(value);
}

type Int = number | bigint;

/** a + b */
export function addInts(a: Int, b: Int): Result {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return intOrOverflow(BigInt(a) + BigInt(b));
}

/** a - b */
export function subtractInts(a: Int, b: Int): Result {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return intOrOverflow(BigInt(a) - BigInt(b));
}

/** a * b */
export function multiplyInts(a: Int, b: Int): Result {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    // Adding 0 turns -0 into 0: ints have one zero.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return intOrOverflow(BigInt(a) * BigInt(b));
}

const DIVISION_BY_ZERO: CelError = new CelError("division by zero");
const MODULUS_BY_ZERO: CelError = new CelError("modulus by zero");

/** a / b, towards zero */
export function divideInts(a: Int, b: Int): Result {
  if (b === 0 || b === 0n) return DIVISION_BY_ZERO;
  if (typeof a === "number" && typeof b === "number") return (a - (a % b)) / b + 0;
  return intOrOverflow(BigInt(a) / BigInt(b));
}

/** The remainder of a / b, with the sign of a. */
export function moduloInts(a: Int, b: Int): Result {
  if (b === 0 || b === 0n) return MODULUS_BY_ZERO;
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  // The quotient of the smallest int does not fit 64 bits; as in cel-go its remainder is refused as well.
  return BigInt(a) === INT_MIN && b === -1 ? INT_OVERFLOW : intOrOverflow(BigInt(a) % BigInt(b));
}

/** a / b of uints. */
export function divideUints(a: Uint, b: Uint): Result {
  return b.value === 0n ? DIVISION_BY_ZERO : new Uint(a.value / b.value);
}

/** The remainder of a / b of uints. */
export function moduloUints(a: Uint, b: Uint): Result {
  return b.value === 0n ? MODULUS_BY_ZERO : new Uint(a.value % b.value);
}
