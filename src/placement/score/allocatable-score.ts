// How much of a resource can a cluster still give away, compared with the others?

import { parseQuantity } from "../../cel/library/kubernetes/quantity-parse.ts";
import { asApproximateFloat } from "../../cel/library/kubernetes/quantity-value.ts";
import { CelError } from "../../cel/value/value.ts";
import type { PlacementMode } from "../placement-mode.ts";
import { linearScore } from "./ratio-score.ts";

/**
 * How much there is of a resource. Most amounts are whole numbers below 2^53, in cores or bytes: a double holds them
 * exactly, and it is the double that Kubernetes makes of them. All others are kept twice.
 */
export type Amount = number | OddAmount;

/** An amount that no double holds, or that Kubernetes makes another double of. */
export interface OddAmount {
  /** What `AsApproximateFloat64` of Kubernetes gives. */
  readonly approximate: number;
  /** Billionths, exactly: no quantity is finer. */
  readonly nanos: bigint;
}

const NANOS = 10n ** 9n;

/** What follows the digits, up to a length below which Kubernetes keeps the amount in 64 bits. */
interface Suffix {
  readonly factor: number;
  readonly digits: number;
}

const SUFFIXES: ReadonlyMap<string, Suffix> = new Map([
  ["", { factor: 1, digits: 15 }],
  ["k", { factor: 1e3, digits: 12 }],
  ["M", { factor: 1e6, digits: 9 }],
  ["G", { factor: 1e9, digits: 6 }],
  ["Ki", { factor: 2 ** 10, digits: 11 }],
  ["Mi", { factor: 2 ** 20, digits: 8 }],
  ["Gi", { factor: 2 ** 30, digits: 5 }],
  ["Ti", { factor: 2 ** 40, digits: 2 }],
]);

/** The amount of a quantity; undefined if it is absent or invalid. */
export function amountOf(quantity: string | number | bigint | undefined): Amount | undefined {
  if (quantity === undefined) return undefined;
  if (typeof quantity === "number" && Number.isSafeInteger(quantity)) return quantity + 0;
  const text = typeof quantity === "string" ? quantity : String(quantity);
  return usualAmount(text) ?? anyAmount(text);
}

/** The amount of a text that is digits and a suffix; nothing if that is not so, or where it would be inexact. */
function usualAmount(text: string): Amount | undefined {
  let number = 0;
  let length = 0;
  for (; length < text.length && length < 16; length += 1) {
    const digit = text.charCodeAt(length) - 48;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
  }
  if (length === 0 || length > 15) return undefined;
  const unit = text.slice(length);
  if (unit === "m") return amountOfThousandths(number);
  const suffix = SUFFIXES.get(unit);
  return suffix !== undefined && length <= suffix.digits ? number * suffix.factor : undefined;
}

/** The double 0.001 is so near to a thousandth that whole amounts come out whole. */
function amountOfThousandths(number: number): Amount {
  const approximate = number * 0.001;
  if (number % 1000 === 0) return approximate;
  return { approximate, nanos: BigInt(number) * 1_000_000n };
}

function anyAmount(text: string): Amount | undefined {
  const quantity = parseQuantity(text);
  if (quantity instanceof CelError) return undefined;
  // Only zero is ever read with a finer scale than billionths.
  const power = Math.max(0, quantity.scale + 9);
  return { approximate: asApproximateFloat(quantity), nanos: quantity.value * 10n ** BigInt(power) };
}

function nanosOf(amount: Amount): bigint {
  return typeof amount === "number" ? BigInt(amount) * NANOS : amount.nanos;
}

function doubleOf(amount: Amount): number {
  return typeof amount === "number" ? amount : amount.approximate;
}

/** Negative, zero or positive: which is less? Under compat, doubles that are equal are equal. */
export function compareAmounts(a: Amount, b: Amount, mode: PlacementMode): number {
  if (!mode.exactRatios || (typeof a === "number" && typeof b === "number")) {
    const [left, right] = [doubleOf(a), doubleOf(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  const [left, right] = [nanosOf(a), nanosOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The score of a cluster that has this amount, where those that are compared have from `least` to `most`. */
export function allocatableScore(amount: Amount, least: Amount, most: Amount, mode: PlacementMode): number {
  if (!mode.exactRatios) return scoreInDoubles(doubleOf(amount), doubleOf(least), doubleOf(most));
  if (typeof amount === "number" && typeof least === "number" && typeof most === "number") {
    const whole = most - least;
    if (Number.isSafeInteger(whole)) return whole === 0 ? 100 : linearScore(amount - least, whole);
  }
  const start = nanosOf(least);
  const whole = nanosOf(most) - start;
  if (whole === 0n) return 100;
  return Number((100n * (2n * (nanosOf(amount) - start) - whole)) / whole);
}

/** OCM's operations in OCM's order. */
function scoreInDoubles(amount: number, least: number, most: number): number {
  if (most - least === 0) return 100;
  const score = Math.trunc(((amount - least) / (most - least) - 0.5) * 2 * 100);
  return Number.isNaN(score) ? 0 : score + 0;
}
