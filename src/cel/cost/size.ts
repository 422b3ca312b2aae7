// How large is a value, as costs count it?
import { Bytes, CelMap, Optional } from "../value/boxes.ts";
import { mapSize } from "../value/map-access.ts";
import { codePointCount } from "../value/text.ts";
import { Boxed, isJsonMap, type Result, type Value } from "../value/value.ts";

/** Characters, bytes, elements or entries; 1 for everything else. */
export function sizeOf(value: Result): number {
  if (typeof value === "string") return codePointCount(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Bytes) return value.value.length;
  if (value instanceof CelMap || isJsonMap(value)) return mapSize(value);
  if (value instanceof Optional) return value.content === undefined ? 1 : sizeOf(value.content);
  return value instanceof Boxed ? value.size : 1;
}

/** A tenth of the size, rounded up: what it costs to go through a string. */
export function traversalCost(size: number): number {
  return Math.ceil(size * 0.1);
}

function isScalar(value: Result): boolean {
  return typeof value === "number" || typeof value === "boolean";
}

/** What it costs to compare two values, by the smaller of them. */
export function equalityCost(a: Result, b: Result): number {
  if (typeof a === "string" && typeof b === "string") {
    const shorter = Math.min(a.length, b.length);
    // Up to ten characters cost 1, and code points are never more than UTF-16 units.
    if (shorter <= 10) return shorter === 0 ? 0 : 1;
  } else if (isScalar(a) && isScalar(b)) return 1;
  return traversalCost(Math.min(sizeOf(a), sizeOf(b)));
}

/** What it costs to compare a string with one that has so many code points. */
export function costOfComparing(text: string, size: number): number {
  const { length } = text;
  if (length <= 10 || size <= 10) return length === 0 || size === 0 ? 0 : 1;
  // A code point is one or two units.
  return traversalCost(length >= 2 * size ? size : Math.min(size, codePointCount(text)));
}

/** What it costs to go through a value. */
export function costOfTraversing(value: Value): number {
  // A code point is one or two units, so that few units need not be counted.
  if (typeof value === "string" && value.length <= 10) return value === "" ? 0 : 1;
  return traversalCost(sizeOf(value));
}

/** What it costs to look for a part in a string. */
export function containsCost(text: Value, part: Value): number {
  return costOfTraversing(text) * costOfTraversing(part);
}

/** What it costs to match a regular expression. */
export function matchCost(text: Value, pattern: Value): number {
  const textCost = typeof text === "string" && text.length < 10 ? 1 : Math.ceil((1 + sizeOf(text)) * 0.1);
  return textCost * Math.ceil(sizeOf(pattern) * 0.25);
}
