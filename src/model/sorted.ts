// Where in a sorted list does an item belong, and what is the order of a map?

import { compareText } from "./json.ts";

/** The first position of `length` that is not before the item: a binary search. */
export function firstPosition(length: number, isBefore: (position: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The entries of a map, by key. */
export function sortedEntries<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => compareText(a, b));
}
