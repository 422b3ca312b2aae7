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
      if (!Array.isArray(value)) return value;
      for (let index = 0; index < value.length; index++) {
        const element = value[index];
        if (readDoubles(element) !== element) return value.map(readDoubles);
      }
      return value;
    default:
      return value;
  }
}
