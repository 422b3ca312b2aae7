// How large is a value, as costs count it?
import { Bytes, CelMap, Optional } from "../value/boxes.ts";
import type { Worker } from "../value/equality.ts";
import { isMap, mapEntries } from "../value/map-access.ts";
import { codePointCount } from "../value/text.ts";
import { Boxed, isJsonMap, type Result, type Value } from "../value/value.ts";

/** Characters, bytes, elements or entries; 1 for everything else. */
export function sizeOf(value: Result, worker: Worker): number {
  if (typeof value === "string") return codePointCount(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Bytes) return value.value.length;
  if (value instanceof CelMap || isJsonMap(value)) return worker.mapSize(value);
  if (value instanceof Optional) return value.content === undefined ? 1 : sizeOf(value.content, worker);
  return value instanceof Boxed ? value.size : 1;
}

/** The size of a literal, which is not a container. */
export function sizeOfLiteral(value: Value): number {
  if (typeof value === "string") return codePointCount(value);
  return value instanceof Bytes ? value.value.length : 1;
}

/** The cost of making a list of any size. */
export const LIST_COST = 10;
/** The cost of making a map. */
export const MAP_COST = 30;
/** The cost of making a message. */
export const MESSAGE_COST = 40;

/** A tenth of the size, rounded up: the cost of traversing a string. */
export function traversalCost(size: number): number {
  return Math.ceil(size * 0.1);
}

function isScalar(value: Result): boolean {
  return typeof value === "number" || typeof value === "boolean";
}

/** What it costs to compare two values, by the smaller of them. */
export function equalityCost(a: Result, b: Result, worker: Worker): number {
  if (typeof a === "string") {
    if (typeof b !== "string")
      return b instanceof Optional ? equalityCost(b, a, worker) : costOfComparing(a, sizeOf(b, worker));
    const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
    return costOfComparing(longer, shorter.length <= 10 ? shorter.length : codePointCount(shorter));
  }
  if (typeof b === "string" && !(a instanceof Optional)) return costOfComparing(b, sizeOf(a, worker));
  if (isScalar(a) && isScalar(b)) return 1;
  // An optional counts as its content.
  if (a instanceof Optional) return equalityCost(a.content ?? null, b, worker);
  if (b instanceof Optional) return equalityCost(a, b.content ?? null, worker);
  return traversalCost(Math.min(sizeOf(a, worker), sizeOf(b, worker)));
}

/** What it costs to compare a string with something of that size. */
export function costOfComparing(text: string, size: number): number {
  const { length } = text;
  // Up to ten cost 1, and code points are never more than UTF-16 units.
  if (length <= 10 || size <= 10) return length === 0 || size === 0 ? 0 : 1;
  // A code point is one or two units.
  return traversalCost(length >= 2 * size ? size : Math.min(size, codePointCount(text)));
}

/** The cost of traversing a value. */
export function costOfTraversing(value: Value, worker: Worker): number {
  // A code point is one or two units, so that few units need not be counted.
  if (typeof value === "string" && value.length <= 10) return value === "" ? 0 : 1;
  return traversalCost(sizeOf(value, worker));
}

/** What it costs to look for a part in a string. */
export function containsCost(text: Value, part: Value, worker: Worker): number {
  // The product is 0 if one is empty; the other one need not be counted.
  if (text === "" || part === "") return 0;
  return costOfTraversing(text, worker) * costOfTraversing(part, worker);
}

/** What it costs to match a regular expression. */
export function matchCost(text: Value, pattern: Value, worker: Worker): number {
  const patternCost = Math.ceil(sizeOf(pattern, worker) * 0.25);
  if (patternCost === 0) return 0;
  const textCost = typeof text === "string" && text.length < 10 ? 1 : Math.ceil((1 + sizeOf(text, worker)) * 0.1);
  return textCost * patternCost;
}

/** Beyond this the cost counts as infinite: one value may be inside another very many times. */
const MAX_COUNTED = 10_000_000;

/**
 * What Kubernetes charges for traversing all of a value: for each string and bytes a tenth of its length in bytes, rounded
 * down, and 1 for everything else that is not a container.
 */
export function treeCost(value: Result, worker: Worker): number {
  return countTree(value, { left: MAX_COUNTED }, worker);
}

function countTree(value: Result, budget: { left: number }, worker: Worker): number {
  if (budget.left-- < 0) return Number.POSITIVE_INFINITY;
  if (typeof value === "string") return Math.trunc(utf8Length(value) * 0.1);
  if (value instanceof Bytes) return Math.trunc(value.value.length * 0.1);
  if (Array.isArray(value)) {
    worker.work(value.length);
    return value.reduce<number>((sum, element) => sum + countTree(element, budget, worker), 0);
  }
  if (!isMap(value)) return 1;
  return mapEntries(value, worker).reduce(
    (sum, [key, content]) => sum + countTree(key, budget, worker) + countTree(content, budget, worker),
    0,
  );
}

/** How many bytes the text has in UTF-8. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Two surrogates, counted as two units here, are four bytes together.
    if (code >= 0x80) length += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return length;
}
