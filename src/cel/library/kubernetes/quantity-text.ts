// How is a quantity written in its shortest canonical form?
import type { Quantity } from "./quantity-value.ts";

const DECIMAL_SUFFIXES: Readonly<Record<number, string>> = {
  [-9]: "n",
  [-6]: "u",
  [-3]: "m",
  0: "",
  3: "k",
  6: "M",
  9: "G",
  12: "T",
  15: "P",
  18: "E",
};

const BINARY_SUFFIXES = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/**
 * The canonical text: the largest unit that needs no fraction. Amounts that have no suffix because they are too large
 * have an exponent (Kubernetes prints them without any, which is another amount).
 */
export function printQuantity(quantity: Quantity): string {
  if (quantity.value === 0n) return "0";
  const whole = quantity.format === "binary" ? wholeNumber(quantity) : undefined;
  if (whole !== undefined && (whole >= 1024n || whole <= -1024n)) return printBinary(whole);
  const [digits, zeros] = withoutFactors(quantity.value, 10n, Number.POSITIVE_INFINITY);
  const exponent = quantity.scale + zeros;
  const over = ((exponent % 3) + 3) % 3;
  const suffix = quantity.format === "exponent" ? undefined : DECIMAL_SUFFIXES[exponent - over];
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
