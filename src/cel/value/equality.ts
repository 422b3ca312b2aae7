// Are two values equal?
import { CelMap, Optional } from "./boxes.ts";
import { isMap, mapEntries, mapGet, mapSize } from "./map-access.ts";
import { compareNumbers, isNumber } from "./number.ts";
import { Boxed, type Value } from "./value.ts";

/** Equality of the language definition: numbers by value whatever their kind, containers deeply, other kinds never. */
export function equalValues(a: Value, b: Value): boolean {
  if (typeof a === "string" || typeof a === "boolean" || a === null) return a === b;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) {
      if (!equalValues(a[index], b[index])) return false;
    }
    return true;
  }
  if (a instanceof Boxed && !(a instanceof CelMap)) {
    if (!(a instanceof Optional && b instanceof Optional)) return a.equals(b);
    if (a.content === undefined || b.content === undefined) return a.content === b.content;
    return equalValues(a.content, b.content);
  }
  if (!isMap(a) || !isMap(b) || mapSize(a) !== mapSize(b)) return false;
  for (const [key, value] of mapEntries(a)) {
    const other = mapGet(b, key);
    if (other === undefined || !equalValues(value, other)) return false;
  }
  return true;
}
