// What do the operators take, and what do they do?

import { ONE, plus, sizeAt, traversal } from "../../cost/range.ts";
import { equalityCost, sizeOf, traversalCost } from "../../cost/size.ts";
import { type CallDetails, globalFunction, type Overload, type Running } from "../../library.ts";
import { BOOL, BYTES, DOUBLE, INT, listOf, parameter, STRING, type Type, UINT } from "../../type.ts";
import { type Bytes, Bytes as BytesValue, compareBytes } from "../../value/boxes.ts";
import { equalValues } from "../../value/equality.ts";
import { KeyedList } from "../../value/keyed-list.ts";
import {
  addInts,
  compareNumbers,
  type Double,
  divideInts,
  divideUints,
  double,
  doubleOf,
  intOrOverflow,
  moduloInts,
  moduloUints,
  multiplyInts,
  type NumberValue,
  subtractInts,
  type Uint,
  uintOrOverflow,
} from "../../value/number.ts";
import { compareStrings } from "../../value/text.ts";
import type { Result, Value } from "../../value/value.ts";
import { containerFunctions } from "./containers.ts";

const A: Type = parameter("A");
const LIST: Type = listOf(A);

type AnyDouble = number | Double;

/** What an operator on two numbers does for each kind of number. */
type Arithmetic = readonly [
  name: string,
  id: string,
  ints: (a: number | bigint, b: number | bigint) => Result,
  uints: (a: Uint, b: Uint) => Result,
  doubles?: (a: number, b: number) => number,
];

const ARITHMETIC: readonly Arithmetic[] = [
  ["_+_", "add", addInts, (a, b) => uintOrOverflow(a.value + b.value), (a, b) => a + b],
  ["_-_", "subtract", subtractInts, (a, b) => uintOrOverflow(a.value - b.value), (a, b) => a - b],
  ["_*_", "multiply", multiplyInts, (a, b) => uintOrOverflow(a.value * b.value), (a, b) => a * b],
  ["_/_", "divide", divideInts, divideUints, (a, b) => a / b],
  ["_%_", "modulo", moduloInts, moduloUints],
];

const arithmetic: readonly Overload[] = ARITHMETIC.flatMap(([name, id, ints, uints, doubles]) => {
  const overloads = [
    globalFunction(name, `${id}_int64`, [INT, INT], INT, ints),
    globalFunction(name, `${id}_uint64`, [UINT, UINT], UINT, uints),
  ];
  if (doubles !== undefined) {
    const call = (a: AnyDouble, b: AnyDouble): Result => double(doubles(doubleOf(a), doubleOf(b)));
    overloads.push(globalFunction(name, `${id}_double`, [DOUBLE, DOUBLE], DOUBLE, call));
  }
  return overloads;
});

/** What it costs to join strings or bytes. */
const joinSizes: CallDetails = {
  cost: ([a, b], running) => traversalCost(sizeOf(a as Value, running) + sizeOf(b as Value, running)),
  estimate: (args) => {
    const size = plus(sizeAt(args, 0), sizeAt(args, 1));
    return { cost: traversal(size), size };
  },
};

const joining: readonly Overload[] = [
  globalFunction("_+_", "add_string", [STRING, STRING], STRING, joinStrings, joinSizes),
  globalFunction("_+_", "add_bytes", [BYTES, BYTES], BYTES, joinBytes, joinSizes),
  globalFunction("_+_", "add_list", [LIST, LIST], LIST, joinLists, {
    estimate: (args) => ({ cost: ONE, size: plus(sizeAt(args, 0), sizeAt(args, 1)) }),
  }),
];

function joinStrings(a: string, b: string, running: Running): Result {
  running.allocate(a.length + b.length);
  return a + b;
}

function joinBytes(a: Bytes, b: Bytes, running: Running): Result {
  running.allocate(a.value.length + b.value.length);
  const joined = new Uint8Array(a.value.length + b.value.length);
  joined.set(a.value);
  joined.set(b.value, a.value.length);
  return new BytesValue(joined);
}

function joinLists(a: readonly Value[], b: readonly Value[], running: Running): Result {
  running.allocate(a.length + b.length);
  return a instanceof KeyedList ? a.joined(b) : [...a, ...b];
}

const NUMBERS: readonly (readonly [Type, string])[] = [
  [INT, "int64"],
  [UINT, "uint64"],
  [DOUBLE, "double"],
];

const ORDERS: readonly (readonly [name: string, id: string, decide: (order: number) => boolean])[] = [
  ["_<_", "less", (order) => order < 0],
  ["_<=_", "less_equals", (order) => order <= 0],
  ["_>_", "greater", (order) => order > 0],
  ["_>=_", "greater_equals", (order) => order >= 0],
];

/** What it costs to compare strings or bytes, by the shorter of them. */
const compareSizes: CallDetails = {
  cost: ([a, b], running) => equalityCost(a as Value, b as Value, running),
  estimate: (args) => {
    const [a, b] = [sizeAt(args, 0), sizeAt(args, 1)];
    return { cost: traversal({ min: Math.min(a.min, b.min), max: Math.min(a.max, b.max) }) };
  },
};

const orders: readonly Overload[] = ORDERS.flatMap(([name, id, decide]) => {
  const numbers = (a: NumberValue, b: NumberValue): boolean => decide(compareNumbers(a, b));
  const strings = (a: string, b: string, running: Running): boolean => decide(compareStrings(a, b, running));
  const bytes = (a: Bytes, b: Bytes): boolean => decide(compareBytes(a.value, b.value));
  return [
    globalFunction(name, `${id}_bool`, [BOOL, BOOL], BOOL, (a: boolean, b: boolean) => decide(Number(a) - Number(b))),
    ...NUMBERS.flatMap(([left, leftId]) =>
      NUMBERS.map(([right, rightId]) =>
        left === right
          ? globalFunction(name, `${id}_${leftId}`, [left, right], BOOL, numbers)
          : globalFunction(name, `${id}_${leftId}_${rightId}`, [left, right], BOOL, numbers, { crossType: true }),
      ),
    ),
    globalFunction(name, `${id}_string`, [STRING, STRING], BOOL, strings, compareSizes),
    globalFunction(name, `${id}_bytes`, [BYTES, BYTES], BOOL, bytes, compareSizes),
  ];
});

const signs: readonly Overload[] = [
  globalFunction("-_", "negate_int64", [INT], INT, (a: number | bigint) => intOrOverflow(-BigInt(a))),
  globalFunction("-_", "negate_double", [DOUBLE], DOUBLE, (a: AnyDouble) => double(-doubleOf(a))),
  globalFunction("!_", "logical_not", [BOOL], BOOL, (a: boolean) => !a),
];

const unequalValues = (a: Value, b: Value, running: Running): boolean => !equalValues(a, b, running);

/** Equality of any two values of one type; the plan computes it without a call. */
const equalities: readonly Overload[] = [
  globalFunction("_==_", "equals", [A, A], BOOL, equalValues, compareSizes),
  globalFunction("_!=_", "not_equals", [A, A], BOOL, unequalValues, compareSizes),
];

/** Declared for their types; the plan evaluates only the branch that is chosen. */
const choose = (condition: boolean, yes: Value, no: Value): Value => (condition ? yes : no);
const conditional: Overload = globalFunction("_?_:_", "conditional", [BOOL, A, A], A, choose);

/** The functions behind the operators. */
export const operatorFunctions: readonly Overload[] = [
  ...arithmetic,
  ...joining,
  ...orders,
  ...signs,
  ...equalities,
  conditional,
  ...containerFunctions,
];
