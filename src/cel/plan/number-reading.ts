// How does a value of the input enter an expression?
import { double, int, isInt } from "../value/number.ts";
import type { Value } from "../value/value.ts";

/** Turns what a variable or a map of the input holds into the value that the expression sees. */
export type Reading = (value: Value) => Value;

/** Whole numbers are ints. Integers beyond 64 bits become doubles. */
export function readInts(value: Value): Value {
  return typeof value === "bigint" ? (int(value) ?? double(Number(value))) : value;
}

/**
 * All numbers are doubles. A list with whole numbers in it is copied with doubles instead; maps are not looked into,
 * because their values are read through here when they are asked for. Input must not change once it was given.
 */
export function readDoubles(value: Value): Value {
  switch (typeof value) {
    case "number":
    case "bigint":
      return double(Number(value));
    case "object":
      return Array.isArray(value) ? readList(value) : value;
    default:
      return value;
  }
}

/** What became of lists that take long to look through, so that a loop does not do it in every round. */
const known = new WeakMap<readonly Value[], readonly Value[]>();
const LONG = 32;

function readList(list: readonly Value[]): readonly Value[] {
  if (list.length <= LONG && !list.some(Array.isArray)) return list.some(isInt) ? list.map(readDoubles) : list;
  const before = known.get(list);
  if (before !== undefined) return before;
  const numbers = list.map(readDoubles);
  const read = numbers.every((element, index) => element === list[index]) ? list : numbers;
  known.set(list, read);
  return read;
}
