import fc from "fast-check";
import { expect, test } from "vitest";
import { quotedLines, safeJson, safeLines, safeText, withoutCommands } from "./safe-text.ts";

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
  ["x ##[error]y", "x #\\u{23}[error]y"],
  ["###vso[task.complete]", "##\\u{23}vso[task.complete]"],
])("%j is shown as %s", (text, shown) => {
  expect(safeText(text)).toBe(shown);
});

test.each(["lantern.v2.4.0", "Größe", "港口", "❤️ ship", "back\\slash", "## heading", "#[attribute]"])(
  "%s is left alone",
  (text) => {
    expect(safeText(text)).toBe(text);
  },
);

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

test("several lines of an author have a bar before them, one has none", () => {
  expect(quotedLines("Sounds when visibility drops\n")).toEqual(["Sounds when visibility drops"]);
  expect(quotedLines("A horn.\n\nWhat would help\n")).toEqual(["│ A horn.", "│", "│ What would help"]);
});

test("no line begins like a command to a build service", () => {
  expect(withoutCommands("::stop-commands::x\n  ::set-env::\n::1 is an address\nfe80::1 a::b\n")).toBe(
    "\\u{3a}:stop-commands::x\n  \\u{3a}:set-env::\n\\u{3a}:1 is an address\nfe80::1 a::b\n",
  );
});

test("JSON keeps its value", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom("#", "[", "v", "\n") })),
      (text) => {
        const json = safeJson(JSON.stringify({ text }, undefined, 2));
        expect(JSON.parse(json)).toEqual({ text });
        expect(json).not.toMatch(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
      },
    ),
  );
});
