// What is a timestamp? A point in time with nanoseconds, in the years 1 to 9999.
import { quoted } from "../../text/words.ts";
import { TIMESTAMP, type Type } from "../type.ts";
import { DURATION_OVERFLOW, Duration, durationOrOverflow, NANOS_PER_SECOND } from "./duration.ts";
import { INT_MAX, INT_MIN } from "./number.ts";
import { Boxed, CelError, type Value } from "./value.ts";

/** A point in time. */
export class Timestamp extends Boxed {
  /** Whole seconds since 1970-01-01T00:00:00Z; earlier ones are negative. */
  readonly seconds: number;
  /** Nanoseconds after the second, 0 to 999999999. */
  readonly nanos: number;
  /** Seconds east of UTC in which it was written. Only the text shows it, as in cel-go. */
  readonly offset: number;
  constructor(seconds: number, nanos: number, offset = 0) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
  get type(): Type {
    return TIMESTAMP;
  }
  /** Is it what `optional.ofNonZeroValue` takes for nothing: the beginning of the year 1? */
  get isZero(): boolean {
    return this.seconds === FIRST_SECOND && this.nanos === 0;
  }
  equals(other: Value): boolean {
    return other instanceof Timestamp && other.seconds === this.seconds && other.nanos === this.nanos;
  }
  toString(): string {
    return printTimestamp(this);
  }
}

export const FIRST_SECOND = -62_135_596_800;
export const LAST_SECOND = 253_402_300_799;

export const TIMESTAMP_OVERFLOW: CelError = new CelError("timestamp is outside of the range of the years 1 to 9999");

/** The timestamp that many seconds after 1970, or the overflow. */
export function timestampOfSeconds(seconds: number | bigint): Timestamp | CelError {
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND ? new Timestamp(Number(seconds), 0) : TIMESTAMP_OVERFLOW;
}

/** What Go's time.Parse takes for RFC 3339: an hour of one digit, a decimal comma and long fractions included. */
const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** The timestamp a text says in the form of RFC 3339. */
export function parseTimestamp(text: string): Timestamp | CelError {
  const plain = plainTimestamp(text);
  if (plain !== undefined) return plain;
  const found = RFC_3339.exec(text);
  if (found === null) return notTimestamp(text, "write it like 2024-01-31T12:00:00Z");
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as Six;
  if (!isCalendarDay(year, month, day)) return notTimestamp(text, "there is no such day");
  if (hour > 23 || minute > 59 || second > 59) return notTimestamp(text, "there is no such time of day");
  const [, , , , , , , fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] = found;
  if (Number(offsetHours) > 24 || Number(offsetMinutes) > 60) return notTimestamp(text, "there is no such offset");
  const distance = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60;
  const offset = sign === "-" ? -distance : distance;
  const seconds = startOfDay(year, month, day) + hour * 3600 + minute * 60 + second - offset;
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) {
    return new CelError(`the timestamp ${quoted(text)} is outside of the range of the years 1 to 9999`);
  }
  return new Timestamp(seconds, Number(fraction.slice(0, 9).padEnd(9, "0")), offset === 0 ? 0 : offset);
}

/** The timestamp of a text like 2024-01-28T12:00:00Z, as machines write it; undefined for any other, be it right or wrong. */
function plainTimestamp(text: string): Timestamp | undefined {
  if (text.length !== 20 || text.charCodeAt(19) !== 90 || text.charCodeAt(10) !== 84) return undefined;
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  // What is not a number compares as false.
  const isPlain = year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  if (!isPlain || !(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  return new Timestamp(Date.UTC(year, month - 1, day, hour, minute, second) / 1000, 0);
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

type Six = [number, number, number, number, number, number];

function notTimestamp(text: string, why: string): CelError {
  return new CelError(`${quoted(text)} is not a timestamp: ${why}`);
}

/** Seconds from 1970 to the beginning of that day. The arguments may exceed their ranges. */
function startOfDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
}

/** Does the calendar have that day? */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return startOfDay(year, month, day) < startOfDay(year, month + 1, 1);
}

/** The text in the form of RFC 3339, with as many digits after the second as are needed. */
function printTimestamp(timestamp: Timestamp): string {
  const { seconds, nanos, offset } = timestamp;
  const local = new Date((seconds + offset) * 1000);
  const date = [two(local.getUTCMonth() + 1), two(local.getUTCDate())].join("-");
  const time = [local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds()].map(two).join(":");
  const fraction = nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  return `${String(local.getUTCFullYear()).padStart(4, "0")}-${date}T${time}${fraction}${printOffset(offset)}`;
}

function printOffset(offset: number): string {
  if (offset === 0) return "Z";
  const minutes = Math.abs(offset) / 60;
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/** Negative, zero or positive: which is earlier? */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** The point in time that much later. */
export function addDuration(timestamp: Timestamp, duration: Duration): Timestamp | CelError {
  const nanos = timestamp.nanos + Number(duration.nanoseconds % NANOS_PER_SECOND);
  const carry = Math.floor(nanos / 1_000_000_000);
  const seconds = timestamp.seconds + Number(duration.nanoseconds / NANOS_PER_SECOND) + carry;
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) return TIMESTAMP_OVERFLOW;
  return new Timestamp(seconds, nanos - carry * 1_000_000_000, timestamp.offset);
}

/** The point in time that much earlier. The longest negative duration cannot be turned around, as in cel-go. */
export function subtractDuration(timestamp: Timestamp, duration: Duration): Timestamp | CelError {
  if (duration.nanoseconds === INT_MIN) return DURATION_OVERFLOW;
  return addDuration(timestamp, new Duration(-duration.nanoseconds));
}

/** How much later the first is than the second; whole seconds alone must fit already, as in cel-go. */
export function timeBetween(later: Timestamp, earlier: Timestamp): Duration | CelError {
  const whole = BigInt(later.seconds - earlier.seconds) * NANOS_PER_SECOND;
  if (whole < INT_MIN || whole > INT_MAX) return DURATION_OVERFLOW;
  return durationOrOverflow(whole + BigInt(later.nanos - earlier.nanos));
}
