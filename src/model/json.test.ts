// Is a canonical text read back exactly?

import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText, detached, type Json, readCanonical } from "./json.ts";

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

test("keys are sorted in any text, whatever JavaScript does with them", () => {
  expect(canonicalText({ b: 1, a: { d: [{ z: 1, y: 2 }], c: null } })).toBe(
    '{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}',
  );
  expect(canonicalText({ "9": 1, "10": 2 })).toBe('{"10":2,"9":1}');
  expect(canonicalText({ b: 1n, a: 2 })).toBe('{"a":2,"b":1}');
  expect(canonicalText({ a: 1, b: undefined } as unknown as Json)).toBe('{"a":1}');
  expect(canonicalText([{ a: [1, "ä"] }])).toBe('[{"a":[1,"ä"]}]');
});

test("a detached value is equal", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(detached(value as Json)).toEqual(value);
    }),
  );
});
