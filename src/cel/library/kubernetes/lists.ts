// What does Kubernetes ask of lists: are they sorted, what is their sum, where is an element?

import { sizeOf } from "../../cost/size.ts";
import { type Library, memberFunction, type Overload, type Running } from "../../library.ts";
import { BOOL, DOUBLE, DURATION, DYN, INT, listOf, parameter, type Type, UINT } from "../../type.ts";
import { describeValue } from "../../value/describe.ts";
import { Duration, durationOrOverflow } from "../../value/duration.ts";
import { equalValues } from "../../value/equality.ts";
import { addInts, double, doubleOf, isDouble, isInt, Uint, uintOrOverflow } from "../../value/number.ts";
import { CelError, isList, type Result, type Value } from "../../value/value.ts";
import { compareValues, isOrdered, ORDERED_TYPES } from "../extension/ordering.ts";

type List = readonly Value[];

const A: Type = parameter("A");

function unordered(value: Value): CelError {
  return new CelError(() => `${describeValue(value)} has no order`);
}

/** Elements that do not compare with each other are passed over, as in Kubernetes. */
function isSorted(list: List, running: Running): Result {
  for (let index = 0; index < list.length; index++) {
    const value = list[index] as Value;
    if (!isOrdered(value)) return unordered(value);
    if (index > 0 && (compareValues(list[index - 1] as Value, value, running) ?? 0) > 0) return false;
  }
  return true;
}

/** The least (side 1) or greatest (side -1) element, the first of equal ones. */
function extreme(name: string, side: 1 | -1): (list: List, running: Running) => Result {
  return (list, running) => {
    let best: Value | undefined;
    for (const value of list) {
      if (!isOrdered(value)) return unordered(value);
      if (best === undefined || (compareValues(best, value, running) ?? 0) * side > 0) best = value;
    }
    return best ?? new CelError(`an empty list has no ${name}`);
  };
}

/** The sum of elements of one type, beginning with its zero. */
function sum(zero: Value, add: (total: Value, value: Value) => Result | undefined): (list: List) => Result {
  return (list) => {
    let total = zero;
    for (const value of list) {
      const next = add(total, value);
      if (next === undefined)
        return new CelError(() => `${describeValue(value)} cannot be added to ${describeValue(total)}`);
      if (next instanceof CelError) return next;
      total = next;
    }
    return total;
  };
}

const addInt = (total: Value, value: Value): Result | undefined =>
  isInt(value) && isInt(total) ? addInts(total, value) : undefined;

const addUint = (total: Value, value: Value): Result | undefined =>
  value instanceof Uint && total instanceof Uint ? uintOrOverflow(total.value + value.value) : undefined;

const addDouble = (total: Value, value: Value): Result | undefined =>
  isDouble(value) && isDouble(total) ? double(doubleOf(total) + doubleOf(value)) : undefined;

const addDurations = (total: Value, value: Value): Result | undefined =>
  value instanceof Duration && total instanceof Duration
    ? durationOrOverflow(total.nanoseconds + value.nanoseconds)
    : undefined;

const SUMS: readonly (readonly [type: Type, sum: (list: List) => Result])[] = [
  [INT, sum(0, addInt)],
  [UINT, sum(new Uint(0n), addUint)],
  [DOUBLE, sum(double(0), addDouble)],
  [DURATION, sum(new Duration(0n), addDurations)],
];

function indexOf(list: List, wanted: Value, running: Running): Result {
  running.work(sizeOf(list, running));
  return list.findIndex((value) => equalValues(value, wanted, running));
}

function lastIndexOf(list: List, wanted: Value, running: Running): Result {
  running.work(sizeOf(list, running));
  return list.findLastIndex((value) => equalValues(value, wanted, running));
}

/** Is it in the list, or equal to the value if that is not a list? */
function includes(list: Value, wanted: Value, running: Running): Result {
  running.work(sizeOf(list, running));
  return isList(list) ? list.some((value) => equalValues(value, wanted, running)) : equalValues(list, wanted, running);
}

/** A function for lists of each of the types, whose result is such a value. */
function forEach(types: readonly Type[], name: string, call: (list: List, running: Running) => Result): Overload[] {
  return types.map((type) =>
    memberFunction(name, `list_${type.kind}_${name}_${type.kind}`, [listOf(type)], type, call),
  );
}

/** `isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`, `includes` */
export const kubernetesListsLibrary: Library = {
  name: "kubernetes lists",
  functions: [
    ...ORDERED_TYPES.map((type) =>
      memberFunction("isSorted", `list_${type.kind}_is_sorted_bool`, [listOf(type)], BOOL, isSorted),
    ),
    ...SUMS.flatMap(([type, call]) => forEach([type], "sum", call)),
    ...forEach(ORDERED_TYPES, "max", extreme("greatest element", -1)),
    ...forEach(ORDERED_TYPES, "min", extreme("least element", 1)),
    memberFunction("indexOf", "list_a_index_of_int", [listOf(A), A], INT, indexOf),
    memberFunction("lastIndexOf", "list_a_last_index_of_int", [listOf(A), A], INT, lastIndexOf),
    memberFunction("includes", "list_includes_dyn_dyn", [DYN, DYN], BOOL, includes),
  ],
};
