// What can be computed with numbers: least and greatest, rounding, signs, bits?
import type { Call, Node } from "../../ast.ts";
import { globalFunction, type Library, type Overload } from "../../library.ts";
import type { Expansion, Macro } from "../../macro.ts";
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

// The 64 bits of a number; ints are two's complements.

function intOfBits(bits: bigint): Result {
  return intOrOverflow(BigInt.asIntN(64, bits));
}

function uintOfBits(bits: bigint): Result {
  return new Uint(BigInt.asUintN(64, bits));
}

function bitsOf(value: Int): bigint {
  return BigInt.asUintN(64, BigInt(value));
}

/** Two numbers of one kind, bit by bit. */
function combine(name: string, of: (a: bigint, b: bigint) => bigint): readonly Overload[] {
  const ints = (a: Int, b: Int): Result => intOfBits(of(bitsOf(a), bitsOf(b)));
  const uints = (a: Uint, b: Uint): Result => uintOfBits(of(a.value, b.value));
  return [
    globalFunction(`math.${name}`, `math_${name}_int_int`, [INT, INT], INT, ints),
    globalFunction(`math.${name}`, `math_${name}_uint_uint`, [UINT, UINT], UINT, uints),
  ];
}

/** Shifts bits; zeros are shifted in, even at the sign bit. */
function shift(name: string, of: (bits: bigint, places: bigint) => bigint): readonly Overload[] {
  const moved = (bits: bigint, places: Int, result: (bits: bigint) => Result): Result => {
    if (places < 0) return new CelError(`bits cannot be moved by ${places} places`);
    return result(places >= 64 ? 0n : of(bits, BigInt(places)));
  };
  const ints = (value: Int, places: Int): Result => moved(bitsOf(value), places, intOfBits);
  const uints = (value: Uint, places: Int): Result => moved(value.value, places, uintOfBits);
  return [
    globalFunction(`math.${name}`, `math_${name}_int_int`, [INT, INT], INT, ints),
    globalFunction(`math.${name}`, `math_${name}_uint_int`, [UINT, INT], UINT, uints),
  ];
}

/** `math.bitAnd`, `math.bitOr`, `math.bitXor`, `math.bitNot`, `math.bitShiftLeft`, `math.bitShiftRight` */
const bitFunctions: readonly Overload[] = [
  ...combine("bitAnd", (a, b) => a & b),
  ...combine("bitOr", (a, b) => a | b),
  ...combine("bitXor", (a, b) => a ^ b),
  globalFunction("math.bitNot", "math_bitNot_int_int", [INT], INT, (value: Int) => intOfBits(~bitsOf(value))),
  globalFunction("math.bitNot", "math_bitNot_uint_uint", [UINT], UINT, ({ value }: Uint) => uintOfBits(~value)),
  ...shift("bitShiftLeft", (bits, places) => bits << places),
  ...shift("bitShiftRight", (bits, places) => bits >> places),
];

// `math.least` and `math.greatest` take any number of arguments.

/** Can the argument be a number? False only for literals of other types. */
function mayBeNumber(node: Node): boolean {
  if (node.kind === "literal") return isNumber(node.value);
  return node.kind !== "list" && node.kind !== "map" && node.kind !== "message";
}

function isListOfNumbers(node: Node): boolean {
  return node.kind === "list" && node.elements.length > 0 && node.elements.every(({ value }) => mayBeNumber(value));
}

/** One or two arguments are given to the function as they are, more as a list. */
function numberMacro(name: string, becomes: string): Macro {
  return {
    name,
    namespace: "math",
    member: false,
    arguments: undefined,
    expand: (call: Call, expansion: Expansion): Node => {
      const { args, at, start, end } = call;
      const [first] = args;
      if (first === undefined) {
        expansion.mistake(call, `math.${name}() needs at least one argument`);
        return call;
      }
      const wrong = args.length === 1 && isListOfNumbers(first) ? undefined : args.find((arg) => !mayBeNumber(arg));
      if (wrong !== undefined) {
        expansion.mistake(wrong, `math.${name}() takes numbers${args.length === 1 ? " or a list of them" : ""}`);
        return call;
      }
      const elements = args.map((value) => ({ value, optional: false }));
      const list: Node = { kind: "list", elements, start: first.start, end: args.at(-1)?.end ?? first.end };
      return { kind: "call", name: becomes, target: undefined, args: args.length <= 2 ? args : [list], at, start, end };
    },
  };
}

/** `math.least(a, b, …)` */
const least: Macro = numberMacro("least", "math.@min");
/** `math.greatest(a, b, …)` */
const greatest: Macro = numberMacro("greatest", "math.@max");

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
