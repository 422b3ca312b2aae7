import fc from "fast-check";
import { expect, test } from "vitest";
import { safeJson, safeLines, safeText } from "./safe-text.ts";

test.each([
  ["\u001b[31mred", "\\u{1b}[31mred"],
  ["a\nb\r\tc", "a\\u{a}b\\u{d}\\u{9}c"],
  ["del\u007f", "del\\u{7f}"],
  ["csi\u009b0m", "csi\\u{9b}0m"],
  ["evil\u202egnp.exe", "evil\\u{202e}gnp.exe"],
  ["\u2066isolate\u2069", "\\u{2066}isolate\\u{2069}"],
  ["zero\u200bwidth\u200d\ufeff", "zero\\u{200b}width\\u{200d}\\u{feff}"],
  ["line\u2028end", "line\\u{2028}end"],
  ["tag\u{e0041}", "tag\\u{e0041}"],
  ["half\ud800", "half\\u{d800}"],
  ["selector\ufe0f", "selector\\u{fe0f}"],
])("%j is shown as %s", (text, shown) => {
  expect(safeText(text)).toBe(shown);
});

test.each(["lantern.v2.4.0", "Größe", "港口", "❤️ ship", "back\\slash"])("%s is left alone", (text) => {
  expect(safeText(text)).toBe(text);
});

test("safe text stays as it is when it is made safe again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const safe = safeText(text);
      expect(safeText(safe)).toBe(safe);
      expect(safe).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test("lines keep their ends and lose empty ones around them", () => {
  expect(safeLines("\n\none\r\n\ttwo  \n\n\u001b[2J\n\n")).toEqual(["one", "  two", "", "\\u{1b}[2J"]);
});

test("JSON keeps its value", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const json = safeJson(JSON.stringify({ text }, undefined, 2));
      expect(JSON.parse(json)).toEqual({ text });
      expect(json).not.toMatch(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
    }),
  );
});
