import fc from "fast-check";
import { expect, test } from "vitest";
import { linearScore } from "./linear-score.ts";

test("the score is exact however large the numbers are", () => {
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
