// Is a canonical text read back exactly?

import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText, type Json, readCanonical } from "./json.ts";

test.each<Json>([
  9_007_199_254_740_993n,
  -9_007_199_254_740_993n,
  { s: "n1", n: ["s", '"9007199254740993"', "\\"], "9007199254740993": 12.345678901234567 },
  [1e300, -1.5e-7, 0, true, null, ""],
])("value %# is what it was", (value) => {
  expect(readCanonical(canonicalText(value))).toEqual(value);
});

test("any JSON is what it was", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalText(value as Json);
      expect(canonicalText(readCanonical(text))).toBe(text);
    }),
  );
});

test("the key __proto__ stays an own key", () => {
  expect(canonicalText(readCanonical('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
});
