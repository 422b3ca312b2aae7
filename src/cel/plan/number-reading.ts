// How does a value of the input enter an expression?
import { double, int } from "../value/number.ts";
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

/** What became of long lists, so that a loop does not look through the same list in every round. */
const known = new WeakMap<readonly Value[], readonly Value[]>();
const LONG = 32;

function readList(list: readonly Value[]): readonly Value[] {
  if (list.length <= LONG) return hasWholeNumbers(list) ? list.map(readDoubles) : list;
  const before = known.get(list);
  if (before !== undefined) return before;
  const read = hasWholeNumbers(list) ? list.map(readDoubles) : list;
  known.set(list, read);
  return read;
}

/** Are there numbers in it that must become doubles? */
function hasWholeNumbers(list: readonly Value[]): boolean {
  for (let index = 0; index < list.length; index++) {
    const element = list[index] as Value;
    if (typeof element === "object") {
      if (Array.isArray(element) && hasWholeNumbers(element)) return true;
    } else if (typeof element === "number" ? Number.isSafeInteger(element) : typeof element === "bigint") return true;
  }
  return false;
}
