import { expect, test } from "vitest";
import { cutMiddle, displayWidth, wrapWords } from "./display-width.ts";
import { makeStyle } from "./style.ts";
import { tableLines } from "./table.ts";

const style = makeStyle(false);
const COLUMNS = [{ header: "NAME" }, { header: "COUNT", isNumber: true }, { header: "NOTE" }];

test("columns are as wide as their widest cell, without trailing spaces", () => {
  const rows = [
    ["a-rather-long-name", "1", "note"],
    ["港口", "1234567", ""],
  ];
  expect(tableLines(COLUMNS, rows, { style }).join("\n")).toMatchInlineSnapshot(`
    "NAME                  COUNT  NOTE
    a-rather-long-name        1  note
    港口                1234567"
  `);
});

test("a given width wraps names behind their separators, the widest column first; numbers stay whole", () => {
  const rows = [["a-name-that-is-far-too-long-for-its-column", "1234567", "short"]];
  expect(tableLines(COLUMNS, rows, { style })[1]).toContain("a-name-that-is-far-too-long-for-its-column");
  const lines = tableLines(COLUMNS, rows, { style, width: 40 });
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "NAME                        COUNT  NOTE
    a-name-that-is-far-too-   1234567  short
    long-for-its-column"
  `);
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(40);
});

test("a column never gets so narrow that nothing is left", () => {
  const rows = [["a-name-that-is-long", "7", "a-note-that-is-long"]];
  expect(tableLines(COLUMNS, rows, { style, width: 1 }).join("\n")).toMatchInlineSnapshot(`
    "NAME      COUNT  NOTE
    a-name-       7  a-note-
    that-is-         that-is-
    long             long"
  `);
});

const SENTENCES = [{ header: "ACTION" }, { header: "PACKAGE" }, { header: "WHY", isText: true }];
const REASONS = [
  ["update", "harbour-lantern-operator", "newest of the versions in channel stable that everything else allows"],
  ["keep", "bell", "港口の灯台 holds it back: lantern.example.com/v1alpha1.LanternReflectorConfigurations is required"],
  ["install", "gong", "required"],
];

test("a column of sentences wraps at words, and names stay whole", () => {
  const at = (width: number): string => {
    const lines = tableLines(SENTENCES, REASONS, { style, width });
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    return lines.join("\n");
  };
  expect(at(60)).toMatchInlineSnapshot(`
    "ACTION   PACKAGE                   WHY
    update   harbour-lantern-operator  newest of the versions in
                                       channel stable that
                                       everything else allows
    keep     bell                      港口の灯台 holds it back:
                                       lantern.example.com/
                                       v1alpha1.
                                       LanternReflectorConfigura
                                       tions is required
    install  gong                      required"
  `);
  expect(at(80)).toMatchInlineSnapshot(`
    "ACTION   PACKAGE                   WHY
    update   harbour-lantern-operator  newest of the versions in channel stable that
                                       everything else allows
    keep     bell                      港口の灯台 holds it back:
                                       lantern.example.com/v1alpha1.
                                       LanternReflectorConfigurations is required
    install  gong                      required"
  `);
  expect(at(200)).toBe(tableLines(SENTENCES, REASONS, { style }).join("\n"));
});

test("each line of a wrapped cell has its style", () => {
  const { dim } = makeStyle(true);
  expect(
    tableLines([{ header: "WHY", isText: true }], [[{ text: "one two three four five six", style: dim }]], {
      style,
      width: 20,
    }),
  ).toEqual(["WHY", "\u001b[2mone two three four\u001b[22m", "\u001b[2mfive six\u001b[22m"]);
});

test("hostile text wraps as what it is shown as, and no cell grows without end", () => {
  const hostile = [["x", "1", `\u001b[2J\u202e${"y".repeat(100_000)}`]];
  const lines = tableLines([...COLUMNS.slice(0, 2), { header: "WHY", isText: true }], hostile, { style, width: 40 });
  expect(lines[1]).toBe("x         1  \\u{1b}[2J\\u{202e}");
  expect(lines.length).toBeLessThan(25);
  expect(lines.join("")).toContain("…");
});

test("cells are made safe and colour does not move columns", () => {
  const red = makeStyle(true).red;
  const rows = [
    [{ text: "\u001b[2J", style: red }, "1", "x"],
    ["plain", "2", "y"],
  ];
  expect(tableLines(COLUMNS, rows, { style })).toEqual([
    "NAME       COUNT  NOTE",
    "\u001b[31m\\u{1b}[2J\u001b[39m      1  x",
    "plain          2  y",
  ]);
});

test("the width of text", () => {
  expect(["abc", "港口", "e\u0301", "🚢", "Größe"].map(displayWidth)).toEqual([3, 4, 1, 2, 5]);
  expect(cutMiddle("港口港口港口", 7)).toBe("港…口");
  expect(cutMiddle("abcdef", 4)).toBe("ab…f");
  expect(wrapWords("one two three averyveryverylongword four", 10)).toEqual([
    "one two",
    "three",
    "averyveryverylongword",
    "four",
  ]);
  expect(wrapWords("see quay.example.com/harbour/lantern and 港口港口港口", 12, true)).toEqual([
    "see",
    "quay.",
    "example.com/",
    "harbour/",
    "lantern and",
    "港口港口港口",
  ]);
  expect(wrapWords("港口港口", 3, true)).toEqual(["港", "口", "港", "口"]);
});
