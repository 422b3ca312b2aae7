// Which transfers are too slow? The clock is one that only the test moves.

import { expect, test } from "vitest";
import { TransferRate } from "./transfer-rate.ts";

/** Adds bytes every so many seconds; the seconds after which that was too slow, if it was within an hour. */
function endOf(bytes: number, seconds: number): number | undefined {
  let now = 5_000_000;
  const rate = new TransferRate(() => now);
  for (let passed = seconds; passed <= 3600; passed += seconds) {
    now += seconds * 1000;
    if (!rate.add(bytes)) return passed;
  }
  return undefined;
}

test.for([
  ["one byte every 59 seconds", 1, 59, 118],
  ["one byte every second", 1, 1, 60],
  ["a little less than 1 KiB every second", 1000, 1, 60],
  ["1 KiB every second", 1024, 1, undefined],
  ["64 KiB every 59 seconds", 65_536, 59, undefined],
  ["1 MiB every tenth of a second", 1_048_576, 0.1, undefined],
] as const)("%s", ([, bytes, seconds, end]) => {
  expect(endOf(bytes, seconds)).toBe(end);
});

test("what came fast before does not count later", () => {
  let now = 0;
  const rate = new TransferRate(() => now);
  expect(rate.add(1_000_000_000)).toBe(true);
  now = 59_999;
  expect(rate.add(1)).toBe(true);
  now = 61_000;
  expect(rate.add(1)).toBe(false);
});

test("the time of a reader is not that of the peer", () => {
  let now = 0;
  const rate = new TransferRate(() => now);
  for (let round = 0; round < 100; round++) {
    now += 100;
    expect(rate.add(100)).toBe(true);
    rate.pause();
    now += 600_000;
    rate.resume();
  }
});
