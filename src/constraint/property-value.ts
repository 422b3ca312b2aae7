// Are two values of properties equal? As JSON: the order of keys does not matter. A string also equals the number it
// spells, since "4.9" and 4.9 are easily confused (seed 000).

import { isList, isObject, type Json } from "../model/json.ts";

/** Does a property's value equal the required one? */
export function equalsValue(value: Json, wanted: Json): boolean {
  if (typeof value === "string" && isNumeric(wanted)) return value === String(wanted);
  if (typeof wanted === "string" && isNumeric(value)) return wanted === String(value);
  return equalsJson(value, wanted);
}

function isNumeric(value: Json): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Documents are bounded in depth; a loop avoids recursion anyway. */
function equalsJson(first: Json, second: Json): boolean {
  const open: [Json, Json][] = [[first, second]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (isNumeric(a) && isNumeric(b)) {
      // A number and a bigint are equal if they are written the same.
      if (String(a) !== String(b)) return false;
    } else if (isList(a) && isList(b)) {
      if (a.length !== b.length) return false;
      for (const [index, item] of a.entries()) open.push([item, b[index] as Json]);
    } else if (isObject(a) && isObject(b)) {
      const keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false;
        open.push([a[key] as Json, b[key] as Json]);
      }
    } else return false;
  }
  return true;
}
