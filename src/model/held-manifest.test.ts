// Does a held manifest look like one that a catalog has?

import fc from "fast-check";
import { expect, test } from "vitest";
import { compareHeld, heldBeginning, heldOf, heldText, heldValue } from "./held-manifest.ts";
import { canonicalBeginning, canonicalText, compareText, type Json, type JsonObject } from "./json.ts";

function dataOf(value: JsonObject): string {
  return value.data as string;
}

function held(manifest: JsonObject): JsonObject {
  const bytes = new TextEncoder().encode(canonicalText(manifest));
  const beginning = heldBeginning(manifest);
  return heldValue({ beginning, form: "canonical", bytes }, (one) => new TextDecoder().decode(one.bytes));
}

test("its data is the text in base64", () => {
  const value = held({ kind: "Wïnch ⚓" });
  expect(heldText(value)).toBe('{"kind":"Wïnch ⚓"}');
  expect(Buffer.from(dataOf(value), "base64").toString()).toBe('{"kind":"Wïnch ⚓"}');
  expect(canonicalText(value)).toBe(JSON.stringify({ data: dataOf(value) }));
  expect({ ...value }).toEqual({ data: dataOf(value) });
  const plain = { data: dataOf(value) };
  expect(heldOf(value)?.form).toBe("canonical");
  expect([heldOf(plain), heldText(plain)]).toEqual([undefined, undefined]);
});

test("held manifests are ordered by their data, however late they differ", () => {
  const end = fc.oneof(fc.string({ unit: "grapheme" }), fc.jsonValue());
  const start = fc.constantFrom("", "ä", "b".repeat(570), "é".repeat(580), "⚓😀".repeat(200), "c".repeat(1200));
  fc.assert(
    fc.property(start, end, end, (kind, a, b) => {
      const [heldA, heldB] = [a, b].map((spec) => held({ kind, spec } as JsonObject)) as [JsonObject, JsonObject];
      expect(Math.sign(compareHeld(heldA, heldB))).toBe(Math.sign(compareText(dataOf(heldA), dataOf(heldB))));
      expect(compareHeld(heldA, held({ kind, spec: a } as JsonObject))).toBe(0);
    }),
  );
});

test("the beginning of a text is what it begins with", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(40), (value, length) => {
      const text = canonicalText(value as Json);
      const beginning = canonicalBeginning(value as Json, length);
      expect(text.startsWith(beginning)).toBe(true);
      expect(beginning.length).toBeGreaterThanOrEqual(Math.min(length, text.length));
    }),
  );
});
