import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../model/json.ts";
import { isLargerThan } from "./read-property.ts";

test("the size is that of the compact JSON in UTF-8", () => {
  const unit = fc.constantFrom("a", '"', "\\", "\n", "\u0001", "é", "€", "\ud83d", "\ude00", "😀");
  const values = fc.jsonValue({ stringUnit: unit }) as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(values, (value) => {
      const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
      expect(isLargerThan(value, bytes)).toBe(false);
      expect(isLargerThan(value, bytes - 1)).toBe(true);
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 20_000 : 500 },
  );
});

test.each(['\u0000\u001f\b\t\n\f\r"\\', "aé€😀", "\ud800", "\udc00a", "\ud83d\ud83d\ude00"])("the text %j", (text) => {
  const bytes = new TextEncoder().encode(JSON.stringify(text)).length;
  expect(isLargerThan(text, bytes)).toBe(false);
  expect(isLargerThan(text, bytes - 1)).toBe(true);
});

test("a bigint counts by its digits", () => {
  expect(isLargerThan([12345678901234567890n], 22)).toBe(false);
  expect(isLargerThan([12345678901234567890n], 21)).toBe(true);
});
