// Is a document the same after its texts are shared?
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import { SharedTexts } from "./shared-texts.ts";

test("it is invisible, for any keys", () => {
  const texts = new SharedTexts();
  fc.assert(
    fc.property(fc.json(), (text) => {
      const document: JsonObject = { items: JSON.parse(text) };
      texts.share(document);
      expect(JSON.stringify(document.items)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test("a key that names the prototype stays a key", () => {
  const document = JSON.parse('{"__proto__": {"a": "b"}, "constructor": "c"}');
  new SharedTexts().share(document);
  expect(Object.getPrototypeOf(document)).toBe(Object.prototype);
  expect(Object.keys(document)).toEqual(["__proto__", "constructor"]);
});
