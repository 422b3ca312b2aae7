import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Duration } from "./duration.ts";
import {
  addDuration,
  compareTimestamps,
  parseTimestamp,
  subtractDuration,
  Timestamp,
  timeBetween,
} from "./timestamp.ts";
import { CelError } from "./value.ts";

// That RFC 3339 is read, printed and computed with as cel-go does is checked in test/differential/cel-time.test.ts.

const moments = fc
  .tuple(
    fc.integer({ min: -62_135_596_800 + 100_000, max: 253_402_300_799 - 100_000 }),
    fc.integer({ min: 0, max: 999_999_999 }),
    fc.integer({ min: -1439, max: 1439 }),
  )
  .map(([seconds, nanos, minutes]) => new Timestamp(seconds, nanos, minutes * 60));

function text(value: Timestamp | CelError): string {
  return value instanceof CelError ? value.message : String(value);
}

describe("timestamps", () => {
  test("what is printed reads back, offset included", () => {
    fc.assert(
      fc.property(moments, (moment) => {
        expect(parseTimestamp(String(moment))).toEqual(moment);
      }),
    );
  });

  test.for([
    ["2024-02-30T00:00:00Z", '"2024-02-30T00:00:00Z" is not a timestamp: there is no such day'],
    ["2024-02-29T24:00:00Z", '"2024-02-29T24:00:00Z" is not a timestamp: there is no such time of day'],
    ["2024-02-29", '"2024-02-29" is not a timestamp: write it like 2024-01-31T12:00:00Z'],
    ["2024-02-29T00:00:00+25:00", '"2024-02-29T00:00:00+25:00" is not a timestamp: there is no such offset'],
    ["0000-12-31T00:00:00Z", 'the timestamp "0000-12-31T00:00:00Z" is outside of the range of the years 1 to 9999'],
  ] as const)("%s is refused", ([written, message]) => {
    expect(text(parseTimestamp(written))).toBe(message);
  });

  test("adding what is between two leads from one to the other", () => {
    fc.assert(
      fc.property(moments, moments, (a, b) => {
        const between = timeBetween(a, b);
        if (between instanceof CelError) return;
        const forth = addDuration(b, between);
        const back = subtractDuration(a, between);
        expect(forth instanceof Timestamp && forth.equals(a)).toBe(true);
        expect(back instanceof Timestamp && back.equals(b)).toBe(true);
        expect(Math.sign(compareTimestamps(a, b))).toBe(
          between.nanoseconds > 0n ? 1 : between.nanoseconds < 0n ? -1 : 0,
        );
      }),
    );
  });

  test("equal moments are equal in any notation", () => {
    const [here, there] = ["2024-01-01T01:00:00+01:00", "2024-01-01T00:00:00Z"].map(parseTimestamp);
    expect((here as Timestamp).equals(there as Timestamp)).toBe(true);
    expect(text(here as Timestamp)).toBe("2024-01-01T01:00:00+01:00");
  });

  test("the ends of the range", () => {
    const last = new Timestamp(253_402_300_799, 999_999_999);
    expect(addDuration(last, new Duration(1n))).toBeInstanceOf(CelError);
    expect(subtractDuration(new Timestamp(-62_135_596_800, 0), new Duration(1n))).toBeInstanceOf(CelError);
    expect(new Timestamp(-62_135_596_800, 0).isZero).toBe(true);
    expect(new Timestamp(0, 0).isZero).toBe(false);
  });

  test("a long fraction takes no longer than it is", () => {
    expect(text(parseTimestamp(`2024-01-01T00:00:00.${"9".repeat(1_000_000)}Z`))).toBe(
      "2024-01-01T00:00:00.999999999Z",
    );
    expect(parseTimestamp(`2024-01-01T00:00:00.${"9".repeat(1_000_000)}`)).toBeInstanceOf(CelError);
  });
});
