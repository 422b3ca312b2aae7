import { expect, test } from "vitest";
import { cutMiddle, displayWidth, wrapWords } from "./display-width.ts";
import { makeStyle } from "./style.ts";
import { tableLines } from "./table.ts";

const style = makeStyle(false);
const COLUMNS = [{ header: "NAME" }, { header: "COUNT", isNumber: true }, { header: "NOTE" }];

test("columns are as wide as their widest cell, with no blanks at the end of a line", () => {
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

test("only a given width cuts, in the middle, the widest columns first", () => {
  const rows = [["a-name-that-is-far-too-long-for-its-column", "7", "short"]];
  expect(tableLines(COLUMNS, rows, { style })[1]).toContain("a-name-that-is-far-too-long-for-its-column");
  const cut = tableLines(COLUMNS, rows, { style, width: 40 });
  expect(cut.join("\n")).toMatchInlineSnapshot(`
    "NAME                        COUNT  NOTE
    a-name-that-i…r-its-column      7  short"
  `);
  for (const line of cut) expect(displayWidth(line)).toBeLessThanOrEqual(40);
});

test("a column never gets so narrow that nothing is left", () => {
  const rows = [["a-name-that-is-long", "7", "a-note-that-is-long"]];
  expect(tableLines(COLUMNS, rows, { style, width: 1 })[1]).toBe("a-na…ong      7  a-no…ong");
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
});
