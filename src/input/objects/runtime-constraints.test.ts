// Is the administrator's list read from every text that may have it, and is every mistake reported at its place?

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Place } from "../../model/place.ts";
import { printPlace } from "../../model/place.ts";
import { locate } from "../locate.ts";
import { readRuntimeList } from "./runtime-constraints.ts";

const FILE: Place = { source: "rules.yaml", line: 1, column: 1 };
const ENTRY = { type: "olm.constraint", value: { cel: { rule: "true" } } };

/** What is wrong with a file, each with its line and column. */
function faults(text: string): readonly string[] {
  return readRuntimeList(text, FILE).problems.map(
    ({ code, place, message }) => `${printPlace(place).replace("rules.yaml:", "")} ${code} ${message}`,
  );
}

describe("a list is read", () => {
  test.each([
    ["JSON", JSON.stringify([ENTRY])],
    ["YAML", "# rules\n- type: olm.constraint\n  value:\n    cel: {rule: 'true'}\n"],
    ["YAML with brackets", "[{type: olm.constraint, value: {cel: {rule: 'true'}}}]"],
    ["keys in other case", '[{"Type": "olm.constraint", "VALUE": {"cel": {"rule": "true"}}}]'],
    [
      "a ConfigMap",
      `kind: ConfigMap\ndata:\n  properties: |\n    - type: olm.constraint\n      value: {cel: {rule: "true"}}\n`,
    ],
    ["a ConfigMap in JSON", JSON.stringify({ kind: "ConfigMap", data: { properties: JSON.stringify([ENTRY]) } })],
  ])("%s", (_, text) => {
    const { items, problems } = readRuntimeList(text, FILE);
    expect(problems).toEqual([]);
    expect(items.map(({ property }) => property)).toEqual([ENTRY]);
  });

  test("an integer keeps its digits, a null is a value", () => {
    const { items } = readRuntimeList('[{"type":"a","value":12345678901234567890},{"type":"b","value":null}]', FILE);
    expect(items.map(({ property }) => property.value)).toEqual([12345678901234567890n, null]);
  });
});

describe("errors are reported", () => {
  test.each([
    ["", ["1:1 PL009 the runtime constraints must be a list, but are empty"]],
    ["text", ["1:1 PL009 the runtime constraints must be a list, but are text"]],
    ["type: a\nvalue: 1\n", ["1:1 PL009 the file is neither a list nor a ConfigMap"]],
    ['[\n  {"type": "a" "value": 1}\n]', ['2:16 PL003 expected "," or "}", found "\\""']],
    ["- type: a\n  value: [\n", ["3:1 PL003 a [ or { is not closed before this"]],
    ['[{"type": "a", "value": 1, "value": 2}]', ['1:28 PL005 the key "value" appears twice in one object']],
    ['[{"type": "a", "value": 1, "Value": 2}]', ["1:28 PL005 entry 1 has the field value twice"]],
    [
      "- a\n- type: b\n",
      ["1:3 PL009 entry 1 must be an object, but is text", "2:3 PL009 entry 2, of type b, has no value"],
    ],
    [
      "- value: 1\n- type: 5\n  value: 1\n",
      ["1:3 PL009 entry 1 has no type", "2:9 PL009 the type of entry 2 must be a text that is not empty"],
    ],
    ["- typ: a\n  type: a\n  value: 1\n", ['1:3 PL009 entry 1 has an unknown field "typ"']],
    ["[]\n---\n[]\n", ["1:1 PL009 there must be one document only, without ---"]],
    ["kind: ConfigMap\ndata: {}\n", ["1:1 PL009 the ConfigMap has no data.properties"]],
    ["kind: ConfigMap\ndata:\n  properties: []\n", ["3:15 PL009 data.properties must be text"]],
    [
      "kind: ConfigMap\ndata:\n  properties: |\n    - type: a\n    - 7\n",
      ["4:7 PL009 entry 1, of type a, has no value", "5:7 PL009 entry 2 must be an object, but is a number"],
    ],
  ])("%j", (text, expected) => {
    expect(faults(text)).toEqual(expected);
  });

  test("too long, too many, too deep", () => {
    expect(faults(`[${" ".repeat(3_000_000)}]`)).toEqual(["1:1 PL004 the runtime constraints are longer than 2 MiB"]);
    const many = `[${Array.from({ length: 1001 }, () => '{"type":"a","value":1}').join(",")}]`;
    expect(faults(many)).toEqual(["1:1 PL004 there are more than 1000 runtime constraints"]);
    expect(faults("[".repeat(100_000))[0]).toMatch(/PL004/);
    expect(faults(`[${"7,".repeat(900)}7]`)).toHaveLength(100);
  });
});

describe("places", () => {
  const text = "kind: ConfigMap\ndata:\n  properties: |\n    - type: a\n      value:\n        rule: one + two\n";

  test("of a text inside a document, found through the document", () => {
    const list = "- type: a\n  value:\n    rule: one + two\n";
    const outer: Place = { ...FILE, path: ["data", "properties"] };
    const [item] = readRuntimeList(list, outer).items;
    const places = [
      item?.place as Place,
      item?.placeInside(["rule"], { offset: 4 }) as Place,
      item?.placeInside(["rule"], { ofKey: true }) as Place,
    ];
    expect(locate(places, text).map(({ line, column }) => [line, column])).toEqual([
      [4, 7],
      [6, 19],
      [6, 9],
    ]);
  });

  test("of a file that is the ConfigMap", () => {
    const [item] = readRuntimeList(text, FILE).items;
    expect(item?.place).toMatchObject({ line: 4, column: 7, exact: true });
    expect(item?.placeInside(["rule"], { offset: 4 })).toMatchObject({ line: 6, column: 19, exact: true });
  });
});

test("no text makes it fail", () => {
  const piece = fc.constantFrom(
    "- ",
    "type: ",
    "a",
    "value",
    "\n",
    "  ",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    ":",
    ",",
    "&a",
    "*a",
    "---\n",
    "|",
    "1",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, isInner) => {
      const text = pieces.join("");
      const { items, problems } = readRuntimeList(text, isInner ? { ...FILE, path: ["data", "properties"] } : FILE);
      for (const item of items) expect(item.placeInside(["x", 0])).toBeDefined();
      expect(items.length + problems.length > 0 || /\[\s*\]/.test(text)).toBe(true);
    }),
    { numRuns: process.env.PLIMSOLL_LONG ? 50_000 : 500 },
  );
});
