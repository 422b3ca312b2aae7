// Does a timer of the system's clock end on time, however far ahead?

import { expect, test } from "vitest";
import { inParts, SYSTEM_CLOCK } from "./clock.ts";

const DAY = 24 * 3600 * 1000;

test("60 days, with timers of Node, which hold at most 24.8", () => {
  const parts: number[] = [];
  let calls = 0;
  inParts(
    60 * DAY,
    () => calls++,
    (part, next) => {
      parts.push(part);
      next();
    },
  );
  expect(parts.every((part) => part <= 2 ** 31 - 1)).toBe(true);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(60 * DAY);
  expect({ calls, parts: parts.length }).toEqual({ calls: 1, parts: 3 });
});

test("at once, and not at all if it is cancelled", async () => {
  const called: string[] = [];
  const cancel = SYSTEM_CLOCK.after(0, () => called.push("cancelled"));
  cancel();
  await new Promise<void>((done) => SYSTEM_CLOCK.after(-1, done));
  const far = SYSTEM_CLOCK.after(60 * DAY, () => called.push("far"));
  await new Promise<void>((done) => SYSTEM_CLOCK.after(2, done));
  far();
  expect(called).toEqual([]);
});
