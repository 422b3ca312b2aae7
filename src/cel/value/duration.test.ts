import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Duration, durationOrOverflow, parseDuration } from "./duration.ts";
import { INT_MAX, INT_MIN } from "./number.ts";
import { CelError } from "./value.ts";

// That all forms of Go are read, and printed, as cel-go does is checked in test/differential/cel-time.test.ts.

function nanoseconds(text: string): bigint | string {
  const duration = parseDuration(text);
  return duration instanceof CelError ? duration.message : duration.nanoseconds;
}

describe("durations", () => {
  test.for([
    ["1h2m3.5s", 3_723_500_000_000n],
    ["-1.5h", -5_400_000_000_000n],
    ["1µs", 1_000n],
    ["0", 0n],
    ["", '"" is not a duration: it has no number'],
    ["s", '"s" is not a duration: a number is missing'],
    ["1", '"1" is not a duration: a unit is missing, such as s for seconds'],
    ["1d", '"1d" is not a duration: there is no unit "d"'],
    ["320000000000s", 'the duration "320000000000s" is outside of the range of 64-bit nanoseconds'],
  ] as const)("%s", ([text, expected]) => {
    expect(nanoseconds(text)).toBe(expected);
  });

  test("what is printed reads back, unless it has more digits than a double", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (value) => {
        expect(nanoseconds(String(new Duration(value)))).toBe(value);
      }),
    );
  });

  test("parts add up", () => {
    const part = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(part, part, part, (hours, minutes, seconds) => {
        const expected = BigInt((hours * 60 + minutes) * 60 + seconds) * 1_000_000_000n;
        expect(nanoseconds(`${hours}h${minutes}m${seconds}s`)).toBe(expected);
      }),
    );
  });

  test("the range is that of 64 bits", () => {
    expect(durationOrOverflow(INT_MAX)).toBeInstanceOf(Duration);
    expect(durationOrOverflow(INT_MIN)).toBeInstanceOf(Duration);
    expect(durationOrOverflow(INT_MAX + 1n)).toBeInstanceOf(CelError);
    expect(durationOrOverflow(INT_MIN - 1n)).toBeInstanceOf(CelError);
  });

  test("texts of more than a thousand characters are refused", () => {
    expect(nanoseconds(`${"0".repeat(900)}1s`)).toBe(1_000_000_000n);
    expect(nanoseconds(`0.${"1".repeat(900)}s`)).toBe(111_111_111n);
    expect(parseDuration("1ns".repeat(300_000))).toBeInstanceOf(CelError);
    expect(parseDuration(`${"9".repeat(1_000_000)}s`)).toBeInstanceOf(CelError);
  });
});
