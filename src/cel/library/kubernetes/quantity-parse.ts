// Which amount does a text such as 1.5Gi denote?

import { whyTooLong } from "../../../semver/version-reason.ts";
import { quoted } from "../../../text/words.ts";
import { INT_MAX } from "../../value/number.ts";
import { CelError } from "../../value/value.ts";
import { Quantity, type QuantityFormat } from "./quantity-value.ts";

/** The longest text and the largest exponent that are read, so that every amount stays a number of moderate length. */
const MAX_LENGTH = 1024;
const MAX_EXPONENT = 1000;

/** Sign, digits, digits after the point, a suffix or an exponent; all of them may be missing. */
const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d+))?$/;

interface Unit {
  readonly format: QuantityFormat;
  /** Power of ten, or of two for binary units. */
  readonly power: number;
}

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...["n", "u", "m", "", "k", "M", "G", "T", "P", "E"].map((suffix, index) => [suffix, decimal(index)] as const),
  ...["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((suffix, index) => [suffix, binary(index)] as const),
]);

function decimal(index: number): Unit {
  return { format: "decimal", power: index * 3 - 9 };
}

function binary(index: number): Unit {
  return { format: "binary", power: index * 10 + 10 };
}

/** The quantity a text says, or why it says none. */
export function parseQuantity(text: string): Quantity | CelError {
  const tooLong = whyTooLong("quantity", text, MAX_LENGTH);
  if (tooLong !== undefined) return new CelError(tooLong);
  const found = FORM.exec(text);
  if (found === null || text === "") {
    return new CelError(`${quoted(text)} is not a quantity: write a number with a unit, such as 500m, 1.5Gi or 2e3`);
  }
  const [, sign, digits = "", fraction = "", suffix, exponent] = found;
  const unit = exponent === undefined ? UNITS.get(suffix ?? "") : powerOfTen(exponent);
  if (unit === undefined)
    return new CelError(`the exponent of the quantity ${quoted(text)} is larger than ${MAX_EXPONENT}`);
  const number = digits.replace(/^0+/, "") || "0";
  return (
    compactQuantity(text, sign === "-", number, fraction, unit) ??
    (digits === "" && fraction === ""
      ? new CelError(`the quantity ${quoted(text)} has no digits`)
      : exactQuantity(BigInt(`${sign === "-" ? "-" : ""}${number}${fraction}`), -fraction.length, unit))
  );
}

function powerOfTen(exponent: string): Unit | undefined {
  const power = Number(exponent);
  return Math.abs(power) <= MAX_EXPONENT ? { format: "exponent", power } : undefined;
}

/** Kubernetes keeps numbers with few digits in 64 bits; this is the same decision, because `isInteger` exposes it. */
function compactQuantity(
  text: string,
  negative: boolean,
  number: string,
  fraction: string,
  unit: Unit,
): Quantity | undefined {
  const isBinary = unit.format === "binary";
  if (isBinary && fraction !== "") return undefined;
  const room = isBinary ? 14 - (unit.power * 3) / 10 : 18;
  const scale = (isBinary ? 0 : unit.power) - fraction.length;
  if (number.length + fraction.length > room || scale < -9) return undefined;
  const written = BigInt(number + fraction);
  const size = isBinary ? written * 2n ** BigInt(unit.power) : written;
  const canonical = isBinary
    ? written % 8n !== 0n
    : scale % 3 === 0 && !(number + fraction).endsWith("000") && number !== "0";
  return new Quantity(negative ? -size : size, scale, unit.format, true, canonical ? text : undefined);
}

/** All other numbers are rounded away from zero to a nano unit, and binary ones are cut at 64 bits. */
function exactQuantity(written: bigint, scale: number, unit: Unit): Quantity {
  const isBinary = unit.format === "binary";
  const unrounded = isBinary ? written * 2n ** BigInt(unit.power) : written;
  const power = isBinary ? scale : scale + unit.power;
  if (unrounded === 0n) return new Quantity(0n, power, unit.format, false);
  const nanos = roundedUp(unrounded, power + 9);
  if (!isBinary) return new Quantity(nanos, -9, unit.format, false);
  if (nanos > INT_MAX * 10n ** 9n) return new Quantity(INT_MAX, 0, unit.format, false);
  if (nanos < -INT_MAX * 10n ** 9n) return new Quantity(-INT_MAX, 0, unit.format, false);
  const isBelowOne = nanos < 10n ** 9n && nanos > -(10n ** 9n);
  return new Quantity(nanos, -9, isBelowOne ? "decimal" : "binary", false);
}

/** value × 10^power, rounded away from zero. */
function roundedUp(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}
