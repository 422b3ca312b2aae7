// Do the waits between attempts grow, up to their limit, and begin anew after a success?

import { expect, test } from "vitest";
import { Backoff } from "./backoff.ts";

function waits(backoff: Backoff, count: number): number[] {
  return Array.from({ length: count }, () => backoff.next());
}

test("doubling up to the limit, for ever", () => {
  const backoff = new Backoff({ first: 500, max: 15_000, random: () => 1 });
  expect(waits(backoff, 7)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
  expect(waits(backoff, 5000).every((wait) => wait === 15_000)).toBe(true);
  backoff.reset();
  expect(waits(backoff, 2)).toEqual([500, 1000]);
});

test("shortened at random, by a half at most", () => {
  const randoms = [0, 0.5, 0];
  const backoff = new Backoff({ first: 500, max: 800, random: () => randoms.shift() ?? 0 });
  expect(waits(backoff, 3)).toEqual([250, 600, 400]);
});

test("a limit below the first wait", () => {
  expect(new Backoff({ first: 500, max: 100, random: () => 1 }).next()).toBe(100);
});
