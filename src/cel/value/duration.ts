// What is a duration? A length of time in nanoseconds, with 64 bits as in cel-go.
import { quoted } from "../../text/words.ts";
import { DURATION, type Type } from "../type.ts";
import { INT_MAX, INT_MIN } from "./number.ts";
import { Boxed, CelError, type Value } from "./value.ts";

/** A longer text says nothing that 64 bits could hold. */
const MAX_LENGTH = 1_000;

export const NANOS_PER_SECOND = 1_000_000_000n;

/** A length of time, negative ones included. */
export class Duration extends Boxed {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    super();
    this.nanoseconds = nanoseconds;
  }
  get type(): Type {
    return DURATION;
  }
  /** Is it what `optional.ofNonZeroValue` takes for nothing? */
  get isZero(): boolean {
    return this.nanoseconds === 0n;
  }
  equals(other: Value): boolean {
    return other instanceof Duration && other.nanoseconds === this.nanoseconds;
  }
  toString(): string {
    return printDuration(this);
  }
}

export const DURATION_OVERFLOW: CelError = new CelError("duration is outside of the range of 64-bit nanoseconds");

/** The duration of this many nanoseconds, or an overflow error. */
export function durationOrOverflow(nanoseconds: bigint): Duration | CelError {
  return nanoseconds >= INT_MIN && nanoseconds <= INT_MAX ? new Duration(nanoseconds) : DURATION_OVERFLOW;
}

/** The duration as a fractional number of units of the given length, rounded as in cel-go's float arithmetic. */
export function inUnits(duration: Duration, nanosecondsPerUnit: bigint): number {
  const whole = duration.nanoseconds / nanosecondsPerUnit;
  const rest = duration.nanoseconds % nanosecondsPerUnit;
  return Number(whole) + Number(rest) / Number(nanosecondsPerUnit);
}

/**
 * The duration as seconds: `3.5s`. As in cel-go the digits are those of the nearest double, so that a duration of many
 * years can lose its last nanoseconds.
 */
function printDuration(duration: Duration): string {
  const { nanoseconds } = duration;
  if (nanoseconds <= -NANOS_PER_SECOND || nanoseconds >= NANOS_PER_SECOND) {
    return `${inUnits(duration, NANOS_PER_SECOND)}s`;
  }
  const negative = nanoseconds < 0n;
  const digits = String(negative ? -nanoseconds : nanoseconds)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return digits === "" ? "0s" : `${negative ? "-" : ""}0.${digits}s`;
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["\u00b5s", 1_000n], // micro sign
  ["\u03bcs", 1_000n], // Greek letter mu
  ["ms", 1_000_000n],
  ["s", NANOS_PER_SECOND],
  ["m", 60n * NANOS_PER_SECOND],
  ["h", 3600n * NANOS_PER_SECOND],
]);

const LIMIT = 2n ** 63n;

/** One number with its unit: digits, an optional fraction, and everything up to the next digit or dot. */
const PART = /(\d*)(?:\.(\d*))?([^\d.]*)/y;

/** No more digits of a number are looked at: 19 hold every number of 64 bits. */
const DIGITS = 19;

/** The duration a text says, in the form of Go: `1h2m3.5s`, `-1.5h`, `0`. */
export function parseDuration(text: string): Duration | CelError {
  if (text.length > MAX_LENGTH) return notDuration(text, `it is longer than ${MAX_LENGTH} characters`);
  const negative = text.startsWith("-");
  const start = negative || text.startsWith("+") ? 1 : 0;
  if (text.length === start + 1 && text[start] === "0") return new Duration(0n);
  if (text.length === start) return notDuration(text, "it has no number");
  let total = 0n;
  PART.lastIndex = start;
  while (PART.lastIndex < text.length) {
    const [, whole = "", fraction, unit = ""] = PART.exec(text) ?? [];
    if (whole === "" && (fraction === undefined || fraction === "")) return notDuration(text, "a number is missing");
    if (unit === "") return notDuration(text, "a unit is missing, such as s for seconds");
    const nanoseconds = UNITS.get(unit);
    if (nanoseconds === undefined) return notDuration(text, `there is no unit ${quoted(unit)}`);
    const count = wholeNumber(whole);
    if (count === undefined || count > LIMIT / nanoseconds) return outOfRange(text);
    total += count * nanoseconds + partOf(nanoseconds, fraction ?? "");
    if (total > LIMIT) return outOfRange(text);
  }
  if (!negative && total === LIMIT) return outOfRange(text);
  return new Duration(negative ? -total : total);
}

function wholeNumber(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+/, "");
  return significant.length > DIGITS ? undefined : BigInt(significant);
}

/** That fraction of a unit. Go does this in floating point, and so must we, to cut at the same nanosecond. */
function partOf(unit: bigint, digits: string): bigint {
  let value = 0n;
  let scale = 1;
  for (let at = 0; at < digits.length && value <= (LIMIT - 1n) / 10n; at++) {
    const next = value * 10n + BigInt(digits.charCodeAt(at) - 0x30);
    if (next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

function notDuration(text: string, why: string): CelError {
  return new CelError(`${quoted(text)} is not a duration: ${why}`);
}

function outOfRange(text: string): CelError {
  return new CelError(`the duration ${quoted(text)} is outside of the range of 64-bit nanoseconds`);
}
