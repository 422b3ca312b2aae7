/**
 * How is a number of a version stored exactly?
 * As a number while that is exact, as a bigint beyond; never larger than the 64 bits of the Go libraries. Each value
 * has one form, so `===` compares, and `<` works across both.
 */
import { ZERO } from "./characters.ts";

/** A number of a version: zero or more, exact. */
export type WholeNumber = number | bigint;

/** The largest number a version can hold. */
export const LARGEST: bigint = 2n ** 64n - 1n;

const ALWAYS_SAFE_DIGITS = 15;

/** The number between `start` and `end`, which hold digits only; undefined when it needs more than 64 bits. */
export function readWholeNumber(text: string, start: number, end: number): WholeNumber | undefined {
  if (end - start > ALWAYS_SAFE_DIGITS) return readLongNumber(text.slice(start, end));
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - ZERO;
  return value;
}

function readLongNumber(digits: string): WholeNumber | undefined {
  const value = BigInt(digits);
  if (value > LARGEST) return undefined;
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** The next number, in the same exact form. */
export function increment(value: WholeNumber): WholeNumber {
  return typeof value === "number" && value < Number.MAX_SAFE_INTEGER ? value + 1 : BigInt(value) + 1n;
}
