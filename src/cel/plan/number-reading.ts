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
 * because their values are read through here when they are asked for.
 */
export function readDoubles(value: Value): Value {
  switch (typeof value) {
    case "number":
    case "bigint":
      return double(Number(value));
    case "object":
      return Array.isArray(value) && hasWholeNumbers(value) ? value.map(readDoubles) : value;
    default:
      return value;
  }
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
