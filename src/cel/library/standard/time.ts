// What can be done with timestamps and durations?
import {
  type CallDetails,
  type CallEstimate,
  globalFunction,
  type Library,
  memberFunction,
  type Overload,
} from "../../library.ts";
import { BOOL, DURATION, INT, STRING, TIMESTAMP } from "../../type.ts";
import { type Duration, durationOrOverflow, inUnits, NANOS_PER_SECOND, parseDuration } from "../../value/duration.ts";
import { intOrOverflow } from "../../value/number.ts";
import { zoneOffset } from "../../value/time-zone.ts";
import {
  addDuration,
  compareTimestamps,
  parseTimestamp,
  subtractDuration,
  type Timestamp,
  timeBetween,
  timestampOfSeconds,
} from "../../value/timestamp.ts";
import { CelError, type Result } from "../../value/value.ts";
import { checkOnce } from "../literal-argument.ts";

function resultSize(size: NonNullable<CallEstimate["size"]>): CallDetails {
  return { estimate: () => ({ cost: { min: 1, max: 1 }, size }) };
}

const CONVERSIONS: readonly Overload[] = [
  globalFunction("timestamp", "string_to_timestamp", [STRING], TIMESTAMP, parseTimestamp, {
    prepare: checkOnce(parseTimestamp),
  }),
  globalFunction("timestamp", "int64_to_timestamp", [INT], TIMESTAMP, timestampOfSeconds),
  globalFunction("timestamp", "timestamp_to_timestamp", [TIMESTAMP], TIMESTAMP, (time: Timestamp) => time),
  globalFunction("duration", "string_to_duration", [STRING], DURATION, parseDuration, {
    prepare: checkOnce(parseDuration),
  }),
  globalFunction("duration", "duration_to_duration", [DURATION], DURATION, (duration: Duration) => duration),
  globalFunction("string", "timestamp_to_string", [TIMESTAMP], STRING, String, resultSize({ min: 20, max: 36 })),
  globalFunction("string", "duration_to_string", [DURATION], STRING, String, resultSize({ min: 2, max: 21 })),
  globalFunction("int", "timestamp_to_int64", [TIMESTAMP], INT, (time: Timestamp) => time.seconds),
  globalFunction("int", "duration_to_int64", [DURATION], INT, ({ nanoseconds }: Duration) =>
    intOrOverflow(nanoseconds),
  ),
];

const ARITHMETIC: readonly Overload[] = [
  globalFunction("_+_", "add_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP, addDuration),
  globalFunction("_+_", "add_duration_timestamp", [DURATION, TIMESTAMP], TIMESTAMP, (a: Duration, b: Timestamp) =>
    addDuration(b, a),
  ),
  globalFunction("_+_", "add_duration_duration", [DURATION, DURATION], DURATION, (a: Duration, b: Duration) =>
    durationOrOverflow(a.nanoseconds + b.nanoseconds),
  ),
  globalFunction("_-_", "subtract_timestamp_timestamp", [TIMESTAMP, TIMESTAMP], DURATION, timeBetween),
  globalFunction("_-_", "subtract_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP, subtractDuration),
  globalFunction("_-_", "subtract_duration_duration", [DURATION, DURATION], DURATION, (a: Duration, b: Duration) =>
    durationOrOverflow(a.nanoseconds - b.nanoseconds),
  ),
];

function comparisons(
  operator: string,
  id: string,
  holds: (comparison: number | bigint) => boolean,
): readonly Overload[] {
  const timestamps = (a: Timestamp, b: Timestamp): boolean => holds(compareTimestamps(a, b));
  const durations = (a: Duration, b: Duration): boolean => holds(a.nanoseconds - b.nanoseconds);
  return [
    globalFunction(operator, `${id}_timestamp`, [TIMESTAMP, TIMESTAMP], BOOL, timestamps),
    globalFunction(operator, `${id}_duration`, [DURATION, DURATION], BOOL, durations),
  ];
}

/** A part of what a clock and a calendar show; `local` has the local time in its UTC fields. */
function timestampPart(
  name: string,
  id: string,
  part: (local: Date, time: Timestamp) => number,
  idWithZone = `${id}_with_tz`,
): readonly Overload[] {
  const inZone = (time: Timestamp, zone: string): Result => {
    const offset = zoneOffset(zone, time.seconds);
    return offset instanceof CelError ? offset : part(new Date((time.seconds + offset) * 1000), time);
  };
  const inUtc = (time: Timestamp): Result => part(new Date(time.seconds * 1000), time);
  return [
    memberFunction(name, id, [TIMESTAMP], INT, inUtc),
    memberFunction(name, idWithZone, [TIMESTAMP, STRING], INT, inZone),
  ];
}

const MILLISECONDS_PER_DAY = 86_400_000;

function dayOfYear(local: Date): number {
  const newYear = new Date(local).setUTCMonth(0, 1);
  return (local.getTime() - newYear) / MILLISECONDS_PER_DAY;
}

const TIMESTAMP_PARTS: readonly Overload[] = [
  ...timestampPart("getFullYear", "timestamp_to_year", (local) => local.getUTCFullYear()),
  ...timestampPart("getMonth", "timestamp_to_month", (local) => local.getUTCMonth()),
  ...timestampPart("getDayOfYear", "timestamp_to_day_of_year", dayOfYear),
  ...timestampPart("getDayOfMonth", "timestamp_to_day_of_month", (local) => local.getUTCDate() - 1),
  ...timestampPart("getDate", "timestamp_to_day_of_month_1_based", (local) => local.getUTCDate()),
  ...timestampPart("getDayOfWeek", "timestamp_to_day_of_week", (local) => local.getUTCDay()),
  ...timestampPart("getHours", "timestamp_to_hours", (local) => local.getUTCHours()),
  ...timestampPart("getMinutes", "timestamp_to_minutes", (local) => local.getUTCMinutes()),
  ...timestampPart("getSeconds", "timestamp_to_seconds", (local) => local.getUTCSeconds(), "timestamp_to_seconds_tz"),
  ...timestampPart("getMilliseconds", "timestamp_to_milliseconds", (_local, { nanos }) => Math.floor(nanos / 1e6)),
];

const MILLISECOND = NANOS_PER_SECOND / 1000n;

const DURATION_PARTS: readonly Overload[] = [
  durationPart("getHours", "duration_to_hours", (duration) => inUnits(duration, 3600n * NANOS_PER_SECOND)),
  durationPart("getMinutes", "duration_to_minutes", (duration) => inUnits(duration, 60n * NANOS_PER_SECOND)),
  durationPart("getSeconds", "duration_to_seconds", (duration) => inUnits(duration, NANOS_PER_SECOND)),
  durationPart("getMilliseconds", "duration_to_milliseconds", (last) =>
    Number((last.nanoseconds / MILLISECOND) % 1000n),
  ),
];

/** The whole duration in a unit, cut towards zero. (Milliseconds are those of the last second: cel-go differs from the official tests there.) */
function durationPart(name: string, id: string, units: (duration: Duration) => number): Overload {
  return memberFunction(name, id, [DURATION], INT, (duration: Duration) => Math.trunc(units(duration)) || 0);
}

/** Everything of the standard library that is about timestamps and durations. */
export const timeLibrary: Library = {
  name: "time",
  functions: [
    ...CONVERSIONS,
    ...ARITHMETIC,
    ...comparisons("_<_", "less", (comparison) => comparison < 0),
    ...comparisons("_<=_", "less_equals", (comparison) => comparison <= 0),
    ...comparisons("_>_", "greater", (comparison) => comparison > 0),
    ...comparisons("_>=_", "greater_equals", (comparison) => comparison >= 0),
    ...TIMESTAMP_PARTS,
    ...DURATION_PARTS,
  ],
};
