// Are two values equal?
import { CelMap, Optional } from "./boxes.ts";
import { KeyedList } from "./keyed-list.ts";
import { everyEntry, isMap, type MapValue, mapGet } from "./map-access.ts";
import { compareNumbers, isNumber } from "./number.ts";
import { textWork } from "./text.ts";
import { Boxed, isJsonMap, type Value } from "./value.ts";

/** Counts compared elements, and may stop the evaluation: values that share parts have many more than they seem to. */
export interface Worker {
  /** Counts work that the cost does not show, such as elements that are compared; stops the evaluation beyond the limit. */
  work(units: number): void;
  /** How many entries the map has. Counting those of a large input map takes long, so it is done once. */
  mapSize(map: MapValue): number;
}

/** Equality of the language definition: numbers by value across kinds, containers deeply; values of different kinds are never equal. */
export function equalValues(a: Value, b: Value, worker: Worker): boolean {
  if (typeof a === "string") {
    if (typeof b !== "string" || a.length !== b.length) return false;
    worker.work(textWork(a));
    return a === b;
  }
  if (typeof a === "boolean" || a === null) return a === b;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    worker.work(1 + a.length);
    if (a instanceof KeyedList) return equalByKey(a, b, worker);
    for (let index = 0; index < a.length; index++) {
      if (!equalValues(a[index], b[index], worker)) return false;
    }
    return true;
  }
  if (a instanceof Boxed && !(a instanceof CelMap)) {
    if (!(a instanceof Optional && b instanceof Optional)) {
      worker.work(a.weight);
      if (a.equals(b)) return true;
      // A Date is not equal to a timestamp, but what it stands for may be: what is no value of CEL is refused here.
      isJsonMap(b);
      return false;
    }
    if (a.content === undefined || b.content === undefined) return a.content === b.content;
    worker.work(1);
    return equalValues(a.content, b.content, worker);
  }
  if (!isMap(a) || !isMap(b)) return false;
  const size = worker.mapSize(a);
  if (size !== worker.mapSize(b)) return false;
  worker.work(1 + 4 * size);
  return everyEntry(a, (key, value) => {
    const other = mapGet(b, key, worker);
    return other !== undefined && equalValues(value, other, worker);
  });
}

/** Has every element of the other list an equal one with its key? */
function equalByKey(list: KeyedList, other: readonly Value[], worker: Worker): boolean {
  worker.work(4 * list.length);
  return other.every((element) => {
    const counterpart = list.counterpart(element);
    return counterpart !== undefined && (list.isSet || equalValues(counterpart, element, worker));
  });
}
