// Does a timer of the system's clock end on time, however far ahead?

import { expect, test, vi } from "vitest";
import { SYSTEM_CLOCK } from "./clock.ts";

const { waits, timers } = vi.hoisted(() => ({ waits: [] as number[], timers: [] as (() => void)[] }));

vi.mock("node:timers", async (original) => ({
  ...(await original<typeof import("node:timers")>()),
  setTimeout: (call: () => void, milliseconds: number) => {
    waits.push(milliseconds);
    timers.push(call);
    return undefined;
  },
}));

const DAY = 24 * 3600 * 1000;

test("60 days, with timers of Node, which hold at most 24.8", () => {
  let calls = 0;
  SYSTEM_CLOCK.after(60 * DAY, () => calls++);
  while (calls === 0) timers.shift()?.();
  expect(waits.every((wait) => wait <= 2 ** 31 - 1)).toBe(true);
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(60 * DAY);
  expect({ calls, parts: waits.length, left: timers.length }).toEqual({ calls: 1, parts: 3, left: 0 });
});
