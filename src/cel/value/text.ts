// How long is a string, and which comes first, counted in code points as CEL does?
import type { Worker } from "./equality.ts";

const SURROGATE = /[\ud800-\udfff]/;

/** Does the text consist of characters that are one UTF-16 unit each? */
export function isSimpleText(text: string): boolean {
  return !SURROGATE.test(text);
}

/** How many code points the text has. */
export function codePointCount(text: string): number {
  if (isSimpleText(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The text's code points, each as a text of its own. */
export function codePoints(text: string): readonly string[] {
  return isSimpleText(text) ? text.split("") : Array.from(text);
}

/** What it takes to see that two texts are equal, which is much faster than for lists: 1024 characters count as one. */
export function textWork(text: string): number {
  return text.length >> 10;
}

/** How many characters of long texts are compared at once, which the engine does faster than one by one. */
const PIECE = 1024;
/** What it takes to compare two pieces, which have to be cut out first. */
const PIECE_WORK = 2;

/**
 * Negative, zero or positive: the order of code points (which is the order of UTF-8 bytes). The worker counts what long
 * texts have in common; without one nothing is counted.
 */
export function compareStrings(a: string, b: string, worker?: Pick<Worker, "work">): number {
  const shared = Math.min(a.length, b.length);
  let start = 0;
  for (; start + PIECE <= shared; start += PIECE) {
    worker?.work(PIECE_WORK);
    if (a.slice(start, start + PIECE) !== b.slice(start, start + PIECE)) break;
  }
  for (let index = start; index < shared; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // A surrogate is part of a code point above the basic plane.
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    if (leftHigh !== rightHigh) return leftHigh ? 1 : -1;
    return left - right;
  }
  return a.length - b.length;
}
