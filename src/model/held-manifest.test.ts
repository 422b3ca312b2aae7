// Does a held manifest look like one that a catalog has?

import fc from "fast-check";
import { expect, test } from "vitest";
import { compareHeld, heldManifest, heldText } from "./held-manifest.ts";
import { canonicalText, compareText, type JsonObject } from "./json.ts";

function dataOf(value: JsonObject): string {
  return value.data as string;
}

test("its data is the text in base64", () => {
  const value = heldManifest('{"kind":"Wïnch ⚓"}');
  expect(heldText(value)).toBe('{"kind":"Wïnch ⚓"}');
  expect(Buffer.from(dataOf(value), "base64").toString()).toBe('{"kind":"Wïnch ⚓"}');
  expect(canonicalText(value)).toBe(JSON.stringify({ data: dataOf(value) }));
  expect({ ...value }).toEqual({ data: dataOf(value) });
  expect(heldText({ data: dataOf(value) })).toBeUndefined();
});

test("held manifests are ordered by their data", () => {
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.json()).map((end) => `{"kind":"W${end}`);
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [heldA, heldB] = [heldManifest(a), heldManifest(b)];
      expect(Math.sign(compareHeld(heldA, heldB))).toBe(Math.sign(compareText(dataOf(heldA), dataOf(heldB))));
      expect(compareHeld(heldA, heldManifest(a))).toBe(0);
    }),
  );
});
