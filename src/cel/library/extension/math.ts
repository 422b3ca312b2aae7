// What can be computed with numbers: least and greatest, rounding, signs, bits?
import { globalFunction, type Library, type Overload } from "../../library.ts";
import { BOOL, DOUBLE, DYN, INT, listOf, type Type, UINT } from "../../type.ts";
import { type Double, double, doubleOf, INT_OVERFLOW, intOrOverflow, isNumber, type NumberValue, Uint } from "../../value/number.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { describeValue } from "../../value/describe.ts";
import { greatest, least } from "./math-macros.ts";
import { compareValues } from "./ordering.ts";

type Int = number | bigint;
type AnyDouble = number | Double;

const NUMBERS: readonly (readonly [name: string, type: Type])[] = [
  ["double", DOUBLE],
  ["int", INT],
  ["uint", UINT],
];

/** `@min` or `@max`: the number that is on that side of the others; of equal ones the first. */
function extreme(name: "@min" | "@max", sign: number): readonly Overload[] {
  const pair = (a: NumberValue, b: NumberValue): Result => {
    const order = compareValues(a, b);
    if (order === undefined) return new CelError("NaN is neither less nor greater than a number");
    return order * sign > 0 ? b : a;
  };
  const list = (values: readonly Value[]): Result => {
    let best: Result | undefined;
    for (const value of values) {
      if (!isNumber(value)) return new CelError(`${describeValue(value)} is not a number`);
      best = best === undefined ? value : pair(best as NumberValue, value);
      if (best instanceof CelError) return best;
    }
    return best ?? new CelError("an empty list has no least and no greatest number");
  };
  const full = `math.${name}`;
  const id = `math_${name}`;
  return [
    ...NUMBERS.map(([kind, type]) => globalFunction(full, `${id}_${kind}`, [type], type, (value: Value) => value)),
    ...NUMBERS.flatMap(([a, first]) =>
      NUMBERS.map(([b, second]) => globalFunction(full, `${id}_${a}_${b}`, [first, second], a === b ? first : DYN, pair)),
    ),
    ...NUMBERS.map(([kind, type]) => globalFunction(full, `${id}_list_${kind}`, [listOf(type)], type, list)),
  ];
}

/** Halves go away from zero. */
function round(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

function ofDouble(name: string, compute: (value: number) => number): Overload {
  return globalFunction(`math.${name}`, `math_${name}_double`, [DOUBLE], DOUBLE, (value: AnyDouble) => double(compute(doubleOf(value))));
}

function askDouble(name: string, decide: (value: number) => boolean): Overload {
  return globalFunction(`math.${name}`, `math_${name}_double`, [DOUBLE], BOOL, (value: AnyDouble) => decide(doubleOf(value)));
}

function absoluteInt(value: Int): Result {
  return typeof value === "number" ? Math.abs(value) : intOrOverflow(value < 0n ? -value : value);
}

function squareRoot(type: Type, kind: string): Overload {
  const root = (value: NumberValue): Result => double(Math.sqrt(Number(typeof value === "object" ? value.value : value)));
  return globalFunction("math.sqrt", `math_sqrt_${kind}`, [type], DOUBLE, root);
}

/** A function of bits, for ints as two's complements and for uints. */
function bits(name: string, id: string, more: readonly Type[], compute: (value: bigint, other: bigint) => bigint): readonly Overload[] {
  const other = (value: Int | Uint | undefined): bigint => (value instanceof Uint ? value.value : BigInt(value ?? 0));
  const ints = (a: Int, b?: Int): Result => intOrOverflow(BigInt.asIntN(64, compute(BigInt.asUintN(64, BigInt(a)), other(b))));
  const uints = (a: Uint, b?: Uint | Int): Result => new Uint(BigInt.asUintN(64, compute(a.value, other(b))));
  const same = more.length === 0 && id !== "bitNot";
  return [
    globalFunction(name, `math_${id}_int_int`, id === "bitNot" ? [INT] : same ? [INT, INT] : [INT, ...more], INT, ints),
    globalFunction(name, `math_${id}_uint_${more.length === 0 ? "uint" : "int"}`, id === "bitNot" ? [UINT] : same ? [UINT, UINT] : [UINT, ...more], UINT, uints),
  ];
}
