// Which of two values comes first, if they can be compared?

import { traversalCost } from "../../cost/size.ts";
import { BOOL, BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, type Type, UINT } from "../../type.ts";
import { Bytes, compareBytes } from "../../value/boxes.ts";
import { Duration } from "../../value/duration.ts";
import type { Worker } from "../../value/equality.ts";
import { compareNumbers, isNumber } from "../../value/number.ts";
import { compareStrings } from "../../value/text.ts";
import { compareTimestamps, Timestamp } from "../../value/timestamp.ts";
import type { Value } from "../../value/value.ts";

/** The types whose values have an order. */
export const ORDERED_TYPES: readonly Type[] = [INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES];

/** Is it a value of one of these types? */
export function isOrdered(value: Value): boolean {
  if (typeof value === "string" || typeof value === "boolean" || isNumber(value)) return true;
  return value instanceof Bytes || value instanceof Duration || value instanceof Timestamp;
}

/** Negative, zero or positive; undefined when the values have no order: NaN, or kinds that do not compare. */
export function compareValues(a: Value, b: Value, worker: Worker): number | undefined {
  if (typeof a === "string") {
    if (typeof b !== "string") return undefined;
    worker.work(1);
    return compareStrings(a, b, worker);
  }
  worker.work(1);
  if (typeof a === "boolean") return typeof b === "boolean" ? Number(a) - Number(b) : undefined;
  if (isNumber(a)) {
    const order = isNumber(b) ? compareNumbers(a, b) : Number.NaN;
    return Number.isNaN(order) ? undefined : order;
  }
  if (a instanceof Bytes) {
    if (!(b instanceof Bytes)) return undefined;
    worker.work(traversalCost(Math.min(a.weight, b.weight)));
    return compareBytes(a.value, b.value);
  }
  if (a instanceof Timestamp) return b instanceof Timestamp ? compareTimestamps(a, b) : undefined;
  if (!(a instanceof Duration && b instanceof Duration)) return undefined;
  return a.nanoseconds < b.nanoseconds ? -1 : a.nanoseconds > b.nanoseconds ? 1 : 0;
}
