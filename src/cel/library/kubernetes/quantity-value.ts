// What is a quantity? An amount with a unit, as Kubernetes' resource.Quantity computes it.

import { opaque, type Type } from "../../type.ts";
import { INT_MAX, INT_MIN } from "../../value/number.ts";
import { Boxed, type Value } from "../../value/value.ts";

export const QUANTITY: Type = opaque("kubernetes.Quantity");

/** In which units an amount is written: `12M`, `12Mi` or `12e6`. */
export type QuantityFormat = "decimal" | "binary" | "exponent";

/** An exact decimal amount: `value` × 10^`scale`. */
export class Quantity extends Boxed {
  readonly value: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Does Kubernetes keep it as a 64-bit number? Only then is it ever an integer. */
  readonly compact: boolean;
  /** How it was written, where Kubernetes keeps that. */
  readonly text: string | undefined;
  constructor(value: bigint, scale: number, format: QuantityFormat, compact: boolean, text?: string) {
    super();
    this.value = value;
    this.scale = scale;
    this.format = format;
    this.compact = compact;
    this.text = text;
  }
  get type(): Type {
    return QUANTITY;
  }
  equals(other: Value): boolean {
    return other instanceof Quantity && compareQuantities(this, other) === 0;
  }
  toString(): string {
    return this.text ?? printQuantity(this);
  }
}

/** The quantity of that many units, as `add` and `sub` take an int. */
export function quantityOfInt(value: number | bigint): Quantity {
  return new Quantity(BigInt(value), 0, "exponent", true);
}

/** -1, 0 or 1: which amount is smaller? */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const scale = Math.min(a.scale, b.scale);
  const left = atScale(a, scale);
  const right = atScale(b, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The value at a scale that is not larger than the quantity's own. */
function atScale(quantity: Quantity, scale: number): bigint {
  return quantity.scale === scale ? quantity.value : quantity.value * 10n ** BigInt(quantity.scale - scale);
}

function fitsInt(value: bigint): boolean {
  return value >= INT_MIN && value <= INT_MAX;
}

/** The sum. A zero takes the format of what is added to it. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.value === 0n ? b.format : a.format;
  if (a.compact && b.compact) {
    if (b.value === 0n) return new Quantity(a.value, a.scale, format, true);
    if (a.value === 0n) return new Quantity(b.value, b.scale, format, fitsInt(b.value));
  }
  const scale = Math.min(a.scale, b.scale);
  const left = atScale(a, scale);
  const right = atScale(b, scale);
  const compact = a.compact && b.compact && fitsInt(left) && fitsInt(right) && fitsInt(left + right);
  return new Quantity(left + right, scale, format, compact);
}

/** The difference. A zero takes the format of what is subtracted from it. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, new Quantity(-b.value, b.scale, b.format, b.compact));
}

/** The amount as a 64-bit integer; undefined if Kubernetes has none, even for some whole amounts such as `1.0`. */
export function asInteger(quantity: Quantity): bigint | undefined {
  if (!quantity.compact || quantity.scale < 0) return undefined;
  const value = atScale(quantity, 0);
  return fitsInt(value) ? value : undefined;
}

/** The amount as a double, with the rounding of Kubernetes. */
export function asApproximateFloat(quantity: Quantity): number {
  const base = Number(quantity.value);
  return quantity.scale === 0 ? base : base * powerOfTen(quantity.scale);
}

const TENS = Array.from({ length: 32 }, (_, power) => Number(`1e${power}`));
const LARGE = Array.from({ length: 10 }, (_, steps) => Number(`1e${32 * steps}`));
const TINY = Array.from({ length: 11 }, (_, steps) => Number(`1e-${32 * steps}`));

/** Go's approximation of a power of ten. */
function powerOfTen(power: number): number {
  if (power > 308) return Number.POSITIVE_INFINITY;
  if (power >= 0) return (LARGE[power >> 5] as number) * (TENS[power & 31] as number);
  if (power < -323) return 0;
  return (TINY[-power >> 5] as number) / (TENS[-power & 31] as number);
}

/** From 10^-9 on, in steps of a thousand. */
const DECIMAL_SUFFIXES = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/**
 * The canonical text: the largest unit that needs no fraction. Amounts that have no suffix because they are too large
 * have an exponent (Kubernetes prints them without any, which is another amount).
 */
function printQuantity(quantity: Quantity): string {
  if (quantity.value === 0n) return "0";
  const whole = quantity.format === "binary" ? wholeNumber(quantity) : undefined;
  if (whole !== undefined && (whole >= 1024n || whole <= -1024n)) return printBinary(whole);
  const [digits, zeros] = withoutFactors(quantity.value, 10n, Number.POSITIVE_INFINITY);
  const exponent = quantity.scale + zeros;
  const over = ((exponent % 3) + 3) % 3;
  const suffix = quantity.format === "exponent" ? undefined : DECIMAL_SUFFIXES[(exponent - over + 9) / 3];
  return `${digits * 10n ** BigInt(over)}${suffix ?? printExponent(exponent - over)}`;
}

function printExponent(exponent: number): string {
  return exponent === 0 ? "" : `e${exponent}`;
}

function printBinary(whole: bigint): string {
  const [digits, times] = withoutFactors(whole, 1024n, BINARY_SUFFIXES.length - 1);
  return `${digits}${BINARY_SUFFIXES[times]}`;
}

/** The amount as a whole number, or undefined when it is broken. */
function wholeNumber({ value, scale }: Quantity): bigint | undefined {
  const power = 10n ** BigInt(Math.abs(scale));
  if (scale >= 0) return value * power;
  return value % power === 0n ? value / power : undefined;
}

/** The number divided by the factor as often as that is possible without rest, and how often that was. */
function withoutFactors(value: bigint, factor: bigint, most: number): readonly [bigint, number] {
  let times = 0;
  while (times < most && value % factor === 0n) {
    value /= factor;
    times++;
  }
  return [value, times];
}
