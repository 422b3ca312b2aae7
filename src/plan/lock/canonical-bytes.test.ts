import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText, type Json } from "../../model/json.ts";
import { canonicalBytes } from "./canonical-bytes.ts";

function expectCanonical(value: Json): void {
  expect(new TextDecoder().decode(canonicalBytes(value))).toBe(canonicalText(value));
}

test("the canonical text in UTF-8", () => {
  for (const value of [
    'a"b\\c',
    "\u0000\u001f\u007f",
    "é🚢",
    "\ud800",
    "",
    -0,
    1.5,
    1e21,
    null,
    true,
    2n ** 70n,
    [],
    {},
  ])
    expectCanonical(value);
  expectCanonical(JSON.parse('{"__proto__": [{"b": 1, "a": "\\n"}], "é": {"": []}, "B": 1, "a": 2}'));
});

test("of any value", () => {
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }) as fc.Arbitrary<Json>;
  fc.assert(fc.property(json, expectCanonical), { numRuns: process.env.PLIMSOLL_LONG ? 20_000 : 500 });
});

test("of values larger than any before, and small ones after them", () => {
  for (const size of [70_000, 3, 400_000]) {
    expectCanonical("x".repeat(size));
    expectCanonical("é".repeat(size));
    expectCanonical(Array.from({ length: size }, (_, index) => index));
  }
});
