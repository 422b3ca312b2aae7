// What can be computed with numbers: least and greatest, rounding, signs?
import { globalFunction, type Library, type Overload } from "../../library.ts";
import { BOOL, DOUBLE, DYN, INT, listOf, type Type, UINT } from "../../type.ts";
import { describeValue } from "../../value/describe.ts";
import {
  compareNumbers,
  type Double,
  double,
  doubleOf,
  intOrOverflow,
  isNumber,
  type NumberValue,
  Uint,
} from "../../value/number.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { bitFunctions } from "./math-bits.ts";
import { greatest, least } from "./math-macros.ts";

type Int = number | bigint;
type AnyDouble = number | Double;

const NUMBERS: readonly (readonly [kind: string, type: Type])[] = [
  ["double", DOUBLE],
  ["int", INT],
  ["uint", UINT],
];

/** `@min` or `@max`: the number that is on that side of the others; of equal ones the first. */
function extreme(name: "@min" | "@max", side: 1 | -1): readonly Overload[] {
  const pair = (a: NumberValue, b: NumberValue): NumberValue | CelError => {
    const order = compareNumbers(a, b);
    if (Number.isNaN(order)) return new CelError("NaN is neither less nor greater than a number");
    return order * side > 0 ? b : a;
  };
  const list = (values: readonly Value[]): Result => {
    let best: NumberValue | undefined;
    for (const value of values) {
      if (!isNumber(value)) return new CelError(() => `${describeValue(value)} is not a number`);
      const next = best === undefined ? value : pair(best, value);
      if (next instanceof CelError) return next;
      best = next;
    }
    return best ?? new CelError("an empty list has no least and no greatest number");
  };
  const full = `math.${name}`;
  const id = `math_${name}`;
  return [
    ...NUMBERS.map(([kind, type]) => globalFunction(full, `${id}_${kind}`, [type], type, (value: Value) => value)),
    ...NUMBERS.flatMap(([a, first]) =>
      NUMBERS.map(([b, second]) =>
        globalFunction(full, `${id}_${a}_${b}`, [first, second], a === b ? first : DYN, pair),
      ),
    ),
    ...NUMBERS.map(([kind, type]) => globalFunction(full, `${id}_list_${kind}`, [listOf(type)], type, list)),
  ];
}

/** A double of a double. */
function compute(name: string, of: (value: number) => number): Overload {
  const call = (value: AnyDouble): Result => double(of(doubleOf(value)));
  return globalFunction(`math.${name}`, `math_${name}_double`, [DOUBLE], DOUBLE, call);
}

/** A question about a double. */
function ask(name: string, decide: (value: number) => boolean): Overload {
  const call = (value: AnyDouble): Result => decide(doubleOf(value));
  return globalFunction(`math.${name}`, `math_${name}_double`, [DOUBLE], BOOL, call);
}

/** Halves go away from zero. */
function round(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

function absoluteInt(value: Int): Result {
  return typeof value === "number" ? Math.abs(value) : intOrOverflow(value < 0n ? -value : value);
}

function signOfInt(value: Int): Result {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

function squareRoot(value: NumberValue): Result {
  return double(Math.sqrt(Number(typeof value === "object" ? value.value : value)));
}

/** `math.least`, `math.greatest`, `math.ceil`, `math.abs`, `math.bitAnd` … */
export const mathLibrary: Library = {
  name: "math",
  macros: [least, greatest],
  functions: [
    ...extreme("@min", 1),
    ...extreme("@max", -1),
    compute("ceil", Math.ceil),
    compute("floor", Math.floor),
    compute("round", round),
    compute("trunc", Math.trunc),
    ask("isInf", (value) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY),
    ask("isNaN", Number.isNaN),
    ask("isFinite", Number.isFinite),
    compute("abs", Math.abs),
    globalFunction("math.abs", "math_abs_int", [INT], INT, absoluteInt),
    globalFunction("math.abs", "math_abs_uint", [UINT], UINT, (value: Uint) => value),
    compute("sign", (value) => Math.sign(value) + 0), // -0 has the sign 0
    globalFunction("math.sign", "math_sign_int", [INT], INT, signOfInt),
    globalFunction("math.sign", "math_sign_uint", [UINT], UINT, ({ value }: Uint) => new Uint(value === 0n ? 0n : 1n)),
    ...NUMBERS.map(([kind, type]) => globalFunction("math.sqrt", `math_sqrt_${kind}`, [type], DOUBLE, squareRoot)),
    ...bitFunctions,
  ],
};
