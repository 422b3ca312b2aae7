// How deep may a value nest, and are two values the same? Callers of the library may pass values
// that nest thousands of levels deep: no recursion here is unbounded.

import { isList, isObject, type Json, own } from "../model/json.ts";

/** Whether lists and objects nest at most that many levels. */
export function nestsAtMost(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (levels === 0) return false;
  for (const part of isList(value) ? value : Object.values(value)) if (!nestsAtMost(part, levels - 1)) return false;
  return true;
}

/** More parts than this are not compared: a value may have the same part many times, at no size in memory. */
const MAX_PARTS = 10_000_000;

/** Whether two values are the same, regardless of the order of keys; false if they are too large to compare. */
export function isSameValue(a: Json | undefined, b: Json | undefined): boolean {
  const open: [Json | undefined, Json | undefined][] = [[a, b]];
  let parts = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [left, right] = next;
    if (left === right) continue;
    if (++parts > MAX_PARTS) return false;
    if (isList(left)) {
      if (!isList(right) || left.length !== right.length) return false;
      for (const [index, item] of left.entries()) open.push([item, right[index]]);
    } else {
      if (!isObject(left) || !isObject(right)) return false;
      const keys = Object.keys(left);
      if (keys.length !== Object.keys(right).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(right, key)) return false;
        open.push([left[key], own(right, key)]);
      }
    }
  }
  return true;
}
