import fc from "fast-check";
import { EVENT_ID, getScalarValue, parseEvents, type ScalarEvent, YAMLException } from "js-yaml";
import { describe, expect, test } from "vitest";
import { locate, positionInDocument } from "./locate.ts";
import { characterInJson, characterInYaml } from "./place-in-text.ts";

/** The value of the key `k`, and its scalar. */
function scalarOf(source: string): { readonly text: string; readonly scalar: ScalarEvent } | undefined {
  try {
    const scalars = parseEvents(source, {}).filter((event) => event.type === EVENT_ID.SCALAR) as ScalarEvent[];
    const scalar = scalars.at(-1);
    return scalar === undefined || scalars.length !== 2 ? undefined : { text: getScalarValue(source, scalar), scalar };
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

/** Every letter of the text must be found under its own letter, in order. */
function checkLetters(source: string, text: string, find: (offset: number) => number): void {
  let last = 0;
  for (let offset = 0; offset < text.length; offset++) {
    const position = find(offset);
    expect(position).toBeGreaterThanOrEqual(last);
    if (/[a-wyz]/.test(text[offset] as string))
      expect(source[position], `${offset} of ${JSON.stringify(source)}`).toBe(text[offset]);
    last = position;
  }
  expect(find(text.length)).toBeGreaterThanOrEqual(last);
}

const letters = fc.constantFrom(..."acdeghi");
const flowPiece = fc.oneof(
  { weight: 5, arbitrary: letters },
  fc.constantFrom(" ", "  ", "\t", "\n  ", "\n\n  ", " \n   ", "\r\n  ", "💡"),
);
const doublePiece = fc.oneof(
  { weight: 5, arbitrary: flowPiece },
  fc.constantFrom("\\n", "\\\\", '\\"', "\\x41", "\\u00e9", "\\U0001F600", "\\ ", "\\\n  ", "\\\t", "\\/"),
);
const blockLine = fc
  .tuple(
    fc.constantFrom("", "", "", "  ", "\t"),
    fc.array(fc.oneof({ weight: 4, arbitrary: letters }, fc.constantFrom(" ", "💡")), { maxLength: 5 }),
  )
  .map(([indent, rest]) => (rest.length === 0 ? "" : `  ${indent}${rest.join("")}`));

const sources = fc.oneof(
  fc.array(flowPiece, { maxLength: 12 }).map((pieces) => `k: a${pieces.join("")}\n`),
  fc.array(fc.oneof(flowPiece, fc.constant("''")), { maxLength: 12 }).map((pieces) => `k: '${pieces.join("")}'\n`),
  fc.array(doublePiece, { maxLength: 12 }).map((pieces) => `k: "${pieces.join("")}"\n`),
  fc
    .tuple(
      fc.constantFrom("|", ">", "|-", ">-", "|+", ">+", "|2", ">2"),
      fc.array(blockLine, { maxLength: 8 }),
      fc.constantFrom("\n", "\r\n"),
    )
    .map(([header, lines, end]) => `k: ${header}${end}${lines.map((line) => line + end).join("")}`),
);

describe("a character of a text", () => {
  test("in every style of YAML, each letter is found at its place", () => {
    let checked = 0;
    fc.assert(
      fc.property(sources, (source) => {
        const found = scalarOf(source);
        if (found === undefined) return;
        checked++;
        checkLetters(source, found.text, (offset) => characterInYaml(source, found.scalar, offset));
      }),
      { numRuns: 3000 },
    );
    expect(checked).toBeGreaterThan(1000);
  });

  test("in JSON, each letter is found at its place", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(letters, fc.constantFrom('"', "\\", "\n", "é", "💡", "\u0001"))),
        fc.boolean(),
        (characters, ascii) => {
          const text = characters.join("");
          const plain = JSON.stringify(text);
          const source = ascii
            ? plain.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
            : plain;
          const quoted = source.replace(/\\u([0-9a-f]{4})/g, "\\uZZZZ");
          if (!ascii) checkLetters(source, text, (offset) => characterInJson(source, 0, offset));
          expect(characterInJson(quoted, 0, text.length)).toBe(source.length - 1);
        },
      ),
    );
  });

  test.each([
    ['a: ["x", "p.typ == 1"]', ["a", 1], 2, 'a: ["x", "p.'.length],
    ["a:\n  b: 'it''s p'\n", ["a", "b"], 5, "a:\n  b: 'it''s ".length],
    ["a: >-\n  one\n  two\n", ["a"], 4, "a: >-\n  one\n  ".length],
    ["a: |\n\n    one\n      two\n", ["a"], 7, "a: |\n\n    one\n      ".length],
    ['{"a": {"b": "x\\ny"}}', ["a", "b"], 2, '{"a": {"b": "x\\n'.length],
    // A line that is further left than YAML allows is moved while reading.
    ['a:\n    b: "one\n  two"\n', ["a", "b"], 4, 'a:\n    b: "one\n  '.length],
    ["a: &x one\n", ["a"], 1, "a: &x o".length],
  ])("%j", (document, path, offset, position) => {
    expect(positionInDocument(document, path, offset)).toBe(position);
  });

  test("there is none in a value that is not a string, or missing", () => {
    expect(positionInDocument("a: [1]", ["a"], 0)).toBeUndefined();
    expect(positionInDocument("a: x", ["b"], 0)).toBeUndefined();
    expect(positionInDocument("a: &x one\nb: *x\n", ["b"], 1)).toBeUndefined();
  });

  test("a place with an offset is located with its line", () => {
    const [spot] = locate([{ source: "f", line: 3, column: 1, path: ["a"], offset: 6 }], "a: |\n  one\n  tüo\n");
    expect(spot).toEqual({ line: 5, column: 5, excerpt: "  tüo", caret: 4, isCharacter: true });
  });
});
