// Does the fast reader of YAML read nothing differently from the full parser?

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "./limits.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { readYaml } from "./yaml-text.ts";

/** A manifest with everything that the fast reader knows. */
const MANIFEST = `---
# a comment
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.9.2
    example: |-
      [
        {"a": 1}

      ]
  creationTimestamp: null
  name: winches.harbour.example.com
spec:
  description: Text that goes on
    over several lines, and
    ends here.
  quoted: 'It''s "quoted": it
    continues # here'
  escaped: "first\\n\\tsecond \\"third\\" and\\
    \\ fourth \\\\ and
    fifth"
  empty: {}
  none: []
  nothing:
  text: |
    # Title

      indented
    last

  versions:
  - name: v1
    served: true
    port: 8080
    ratio: -0.5
    enum:
    - "yes"
    - no
    - --flag
    - http://example.com:80/path#part
  deeper:
    - a
    - b: c
      d: e
    -
      f: g
  last: ~
`;

/** The value that the full parser gives, if it is one document about which nothing is reported. */
function fullValue(text: string): unknown {
  try {
    const { values, duplicates } = readYaml(text, DEFAULT_LIMITS);
    return duplicates.length === 0 && values.length === 1 ? values[0] : undefined;
  } catch {
    return undefined;
  }
}

test("a manifest has the value that the full parser reads", () => {
  const value = readPlainYaml(MANIFEST, DEFAULT_LIMITS);
  expect(value).toBeDefined();
  expect(value).toStrictEqual(fullValue(MANIFEST));
  expect(JSON.stringify(value)).toBe(JSON.stringify(fullValue(MANIFEST)));
});

describe("left to the full parser", () => {
  test.each([
    ["an anchor", "a: &b c\n"],
    ["an alias", "a: *b\n"],
    ["a tag", "a: !!str b\n"],
    ["a flow mapping", "a: {b: c}\n"],
    ["a flow list", "a: [b]\n"],
    ["a folded block", "a: >-\n  b\n"],
    ["a block with an indentation", "a: |2\n    b\n"],
    ["a block that is not ended", "a: |\n  b"],
    ["a duplicate key", "a: b\na: c\n"],
    ["a merge", "<<: b\n"],
    ["a key that is no text", "yes: b\n"],
    ["__proto__", "__proto__: b\n"],
    ["a comment behind a value", "a: b # c\n"],
    ["a mapping inside plain text", "a: b: c\n"],
    ["a tab", "a:\tb\n"],
    ["a carriage return", "a: b\r\n"],
    ["two documents", "a: b\n---\nc: d\n"],
    ["the end of a document", "a: b\n...\n"],
    ["indentation that fits nothing", "a:\n    b: c\n  d: e\n"],
    ["an open quote", "a: 'b\n"],
    ["a quoted text that is not indented", "a: 'b\nc'\n"],
    ["infinity", "a: .inf\n"],
    ["an empty document", "# nothing\n"],
    ["a scalar", "text\n"],
    ["a control character", "a: b\u0001\n"],
  ])("%s", (_, text) => {
    expect(readPlainYaml(text, DEFAULT_LIMITS)).toBeUndefined();
  });

  test("what nests too deeply, or could have too many values", () => {
    const nested = Array.from({ length: 6 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join("");
    expect(readPlainYaml(nested, DEFAULT_LIMITS)).toBeDefined();
    expect(readPlainYaml(nested, { ...DEFAULT_LIMITS, maxDepth: 8 })).toBeUndefined();
    expect(readPlainYaml(nested, { ...DEFAULT_LIMITS, maxValues: 20 })).toBeUndefined();
  });
});

/** Pieces that mean something in YAML. */
const PIECES = [
  ...[" ", "  ", "\n", "\n\n", "\n ", "- ", "-\n", ": ", ":", ":\n", "#", " #", "'", "''", '"', "\\", "\\\n", "\\ "],
  ...[
    "|",
    "|-\n",
    "|\n",
    ">\n",
    "?",
    "{}",
    "[]",
    "null",
    "~",
    "yes",
    "0x1F",
    "1e3",
    ".5",
    "+1",
    "1_0",
    "---\n",
    "...\n",
  ],
  ...["&a ", "*a", "!t ", "%", "@", "é", "a: b\n", "<<: ", "- - a\n", "\\n", "\\u0041"],
];
const LINES = MANIFEST.split("\n");

test("nothing is read differently after any change", () => {
  const change = fc.record({ at: fc.nat(400), piece: fc.constantFrom("", ...PIECES), removed: fc.nat(6) });
  const part = fc.record({ from: fc.nat(LINES.length), count: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(part, fc.array(change, { maxLength: 4 }), ({ from, count }, changes) => {
      const lines = LINES.slice(from, from + count);
      const indent = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
      let text = `${lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0)).join("\n")}\n`;
      for (const { at, piece, removed } of changes) {
        const position = at % (text.length + 1);
        text = text.slice(0, position) + piece + text.slice(position + removed);
      }
      const value = readPlainYaml(text, DEFAULT_LIMITS);
      if (value !== undefined) expect(value, JSON.stringify(text)).toStrictEqual(fullValue(text));
    }),
    { numRuns: 3000 },
  );
});
