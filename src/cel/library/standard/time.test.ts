import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { overloadOf } from "../../../../test/cel/call-overload.ts";
import { call } from "../../../../test/differential/cel-kubernetes/call.ts";
import { Duration } from "../../value/duration.ts";
import { Timestamp } from "../../value/timestamp.ts";
import { CelError, type Result } from "../../value/value.ts";
import { timeLibrary } from "./time.ts";

const ask = (id: string, ...args: readonly Result[]): Result => call(timeLibrary, id, ...args);
const timestamp = (text: string): Result => ask("string_to_timestamp", text);

describe("the official tests of parts", () => {
  // From the section `timestamps` of the conformance tests of the language (@bufbuild/cel-spec 0.6.1).
  const moment = timestamp("2009-02-13T23:31:30Z");
  const earlier = timestamp("2009-02-13T02:00:00Z");
  test.for([
    ["day_of_month_1_based", 13],
    ["day_of_month", 12],
    ["day_of_week", 5],
    ["day_of_year", 43],
    ["year", 2009],
    ["hours", 23],
    ["minutes", 31],
    ["month", 1],
    ["seconds", 30],
  ] as const)("%s", ([part, expected]) => {
    expect(ask(`timestamp_to_${part}`, moment)).toBe(expected);
  });

  test.for([
    ["day_of_month_1_based_with_tz", moment, "Australia/Sydney", 14],
    ["day_of_month_with_tz", moment, "US/Central", 12],
    ["day_of_month_with_tz", moment, "+11:00", 13],
    ["day_of_month_with_tz", earlier, "-02:30", 11],
    ["day_of_month_with_tz", earlier, "America/St_Johns", 11],
    ["day_of_week_with_tz", moment, "UTC", 5],
    ["day_of_year_with_tz", moment, "US/Central", 43],
    ["year_with_tz", moment, "-09:30", 2009],
    ["hours_with_tz", moment, "02:00", 1],
    ["minutes_with_tz", moment, "Asia/Kathmandu", 16],
    ["month_with_tz", moment, "UTC", 1],
    ["seconds_tz", moment, "-00:00", 30],
  ] as const)("%s", ([part, time, zone, expected]) => {
    expect(ask(`timestamp_to_${part}`, time, zone)).toBe(expected);
  });
});

describe("the time library", () => {
  test("ids are unique", () => {
    const ids = timeLibrary.functions?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(9 + 6 + 8 + 20 + 4);
  });

  test("a duration is counted as a whole in each unit, but its milliseconds as the official tests want them", () => {
    const duration = ask("string_to_duration", "3730.5s");
    const parts = ["hours", "minutes", "seconds", "milliseconds"].map((part) => ask(`duration_to_${part}`, duration));
    expect(parts).toEqual([1, 62, 3730, 500]);
  });

  test("a negative duration below a unit has none of it, not minus none", () => {
    expect(Object.is(ask("duration_to_hours", new Duration(-1n)), 0)).toBe(true);
  });

  test("a mistake in a literal is found before it is evaluated", () => {
    const prepare = (id: string) => overloadOf(timeLibrary, id).prepare?.specialise;
    expect(prepare("string_to_timestamp")?.("today")).toEqual({
      mistake: '"today" is not a timestamp: write it like 2024-01-31T12:00:00Z',
    });
    expect(prepare("string_to_duration")?.("1y")).toEqual({ mistake: '"1y" is not a duration: there is no unit "y"' });
    const once = prepare("string_to_duration")?.("1h");
    expect(typeof once === "function" && once()).toEqual(new Duration(3_600_000_000_000n));
  });

  test("texts are no longer than estimated", () => {
    const within = (id: string, value: Result): void => {
      const size = overloadOf(timeLibrary, id).estimate?.([])?.size;
      const text = ask(id, value) as string;
      expect(text.length).toBeGreaterThanOrEqual(size?.min ?? 0);
      expect(text.length).toBeLessThanOrEqual(size?.max ?? 0);
    };
    const nanoseconds = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(fc.property(nanoseconds, (value) => within("duration_to_string", new Duration(value))));
    within("timestamp_to_string", timestamp("9999-12-31T23:59:59.999999999Z"));
    within("timestamp_to_string", new Timestamp(253_402_300_799, 999_999_999, 90_000));
    within("timestamp_to_string", timestamp("0001-01-01T00:00:00Z"));
  });

  test("an unknown zone is an error of every part", () => {
    const ids = timeLibrary.functions?.filter(({ parameters }) => parameters.length === 2).map(({ id }) => id) ?? [];
    const zoned = ids.filter((id) => id.endsWith("_tz"));
    expect(zoned.length).toBe(10);
    for (const id of zoned) expect(ask(id, new Timestamp(0, 0), "Nowhere")).toBeInstanceOf(CelError);
  });
});
