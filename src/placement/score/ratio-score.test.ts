import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_MODE, OCM_MODE } from "../placement-mode.ts";
import { balanceScore, linearScore } from "./ratio-score.ts";

describe("the score of Balance", () => {
  test.each([
    // OCM cases F4 and F6, and the goldens of its formula; default mode loses nothing to doubles.
    { count: 0, most: 0, ocm: 100, exact: 100 },
    { count: 0, most: 7, ocm: 100, exact: 100 },
    { count: 1, most: 1, ocm: -100, exact: -100 },
    { count: 1, most: 2, ocm: 0, exact: 0 },
    { count: 1, most: 4, ocm: 50, exact: 50 },
    { count: 3, most: 4, ocm: -50, exact: -50 },
    { count: 1, most: 7, ocm: 70, exact: 70 },
    { count: 9, most: 10, ocm: -80, exact: -80 },
    // F8
    { count: 1, most: 3, ocm: 32, exact: 32 },
    { count: 2, most: 3, ocm: -32, exact: -32 },
    { count: 2, most: 5, ocm: 18, exact: 20 },
    { count: 3, most: 5, ocm: -18, exact: -20 },
    { count: 7, most: 10, ocm: -38, exact: -40 },
  ])("of $count where the most is $most", ({ count, most, ocm, exact }) => {
    expect(balanceScore(count, most, OCM_MODE)).toBe(ocm);
    expect(balanceScore(count, most, DEFAULT_MODE)).toBe(exact);
  });

  test("default mode is the exact quotient", () => {
    const counts = fc.tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }));
    fc.assert(
      fc.property(counts, ([a, b]) => {
        const [count, most] = a < b ? [a, b] : [b, a];
        const exact = 2n * ((50n * BigInt(most) - 100n * BigInt(count)) / BigInt(most));
        expect(balanceScore(count, most, DEFAULT_MODE)).toBe(Number(exact));
        expect(Math.abs(balanceScore(count, most, OCM_MODE) - Number(exact))).toBeLessThanOrEqual(2);
      }),
    );
  });
});

test("the score is exact for numbers of any size", () => {
  const number = fc.oneof(fc.nat(1000), fc.maxSafeNat());
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [part, whole] = [Math.min(a, b), Math.max(a, b, 1)];
      const exact = (100n * (2n * BigInt(part) - BigInt(whole))) / BigInt(whole);
      expect(linearScore(part, whole)).toBe(Number(exact));
    }),
  );
});

test("a score just below a whole number is not rounded up to it", () => {
  const whole = Number.MAX_SAFE_INTEGER;
  expect(linearScore(whole, whole)).toBe(100);
  expect(linearScore(whole - 1, whole)).toBe(99);
  expect(linearScore(0, whole)).toBe(-100);
  expect(linearScore(1, whole)).toBe(-99);
  expect(linearScore(1, 2)).toBe(0);
});
