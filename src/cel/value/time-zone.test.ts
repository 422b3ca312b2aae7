import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { zoneOffset } from "./time-zone.ts";
import { timeZoneNames } from "./time-zone-names.ts";
import { CelError } from "./value.ts";

// Offsets of many zones in many years are compared with Go's in test/differential/cel-time.test.ts.

const SUMMER = 1_720_000_000;

describe("time zones", () => {
  test.for([
    ["UTC", 0],
    ["", 0],
    ["Europe/Berlin", 7200],
    ["America/St_Johns", -9000],
    ["Asia/Kathmandu", 20_700],
    ["US/Central", -18_000],
    ["+11:00", 39_600],
    ["-02:30", -9000],
    ["02:00", 7200],
    ["-00:30", -1800],
  ] as const)("%s", ([zone, offset]) => {
    expect(zoneOffset(zone, SUMMER)).toBe(offset);
  });

  test("an offset can have seconds, long ago", () => {
    expect(zoneOffset("America/Los_Angeles", -10_000_000_000)).toBe(-(7 * 3600 + 52 * 60 + 58));
  });

  test.for([
    "Local", // the machine's zone
    "europe/berlin",
    "Europe/berlin",
    "PST",
    "Etc/Unknown",
    "+0530",
    "constructor",
    "../UTC",
    "1:2:3",
    ":",
    "99999999999999999999:00",
    "a".repeat(1_000_000),
    `${"1".repeat(1_000_000)}:00`,
  ])("no zone", (zone) => {
    expect(zoneOffset(zone, SUMMER)).toBeInstanceOf(CelError);
  });

  test("no zone was ever more than a day and a few hours away, in any year", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...timeZoneNames()),
        fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
        (zone, seconds) => {
          expect(Math.abs(zoneOffset(zone, seconds) as number)).toBeLessThan(26 * 3600);
        },
      ),
    );
  });
});
