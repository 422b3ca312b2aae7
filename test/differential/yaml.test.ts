// Is YAML read as Kubernetes reads it? Every row of the table was made by sigs.k8s.io/yaml itself (see README.md here).

import { describe, expect, test } from "vitest";
import { BoundFault, checkBounds } from "../../src/input/document.ts";
import { readJson, TextFault } from "../../src/input/json-text.ts";
import { DEFAULT_LIMITS } from "../../src/input/limits.ts";
import { readYaml } from "../../src/input/yaml-text.ts";
import { canonicalText } from "../../src/model/json.ts";
import { readTable, type Table } from "./table.ts";

interface Row {
  readonly name: string;
  readonly yaml: string;
  readonly json?: string;
  readonly error?: true;
}

const EXACT = "an integer beyond 64 bits stays exact instead of becoming a double";
const LENIENT = "valid YAML 1.2 that the original refuses";
const KEY = "a key is the text of its value; the original prints it with 32 bits or refuses it";
const MERGE =
  "a key that an object has itself wins over a merged one, as the YAML merge rule defines, for any position of `<<`";

/** Rows on which we differ, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "only a document end": LENIENT,
  "version directive 1.2": LENIENT,
  "key 2^63": KEY,
  "key 2^64": KEY,
  "key float needing 64 bits": KEY,
  "key infinity": KEY,
  "key not a number": KEY,
  "anchor in the next document": "the text is cut at --- before it is parsed, so the second document is read alone",
  "merge, own key before": MERGE,
  "merge of a list, own key before": MERGE,
  "merge twice": MERGE,
  "merge of an alias to a list": LENIENT,
  "literal with a tab": LENIENT,
  "tab after a dash": LENIENT,
  "tab on a blank line": LENIENT,
  "delete character": LENIENT,
  "next line character": "U+0085 is no line end in YAML 1.2",
  "unpaired surrogate escape": LENIENT,
  "long integer in a list": EXACT,
  "integer -9223372036854775809": EXACT,
  "integer 18446744073709551616": EXACT,
  "integer 123456789012345678901234567890": EXACT,
  'quoted "\\ud83d\\ude00"': LENIENT,
  'quoted "\\ud83d"': LENIENT,
  'quoted "\\/"': LENIENT,
  'tag !!binary "aGVs bG8="': LENIENT,
  "text b\u0085c": LENIENT,
  "text b\u2028c": LENIENT,
};

function read(yaml: string): string {
  try {
    const value = readYaml(yaml, DEFAULT_LIMITS).values[0] ?? null;
    checkBounds(value, DEFAULT_LIMITS);
    return canonicalText(value);
  } catch (fault) {
    if (fault instanceof TextFault || fault instanceof BoundFault) return "error";
    throw fault;
  }
}

describe("yaml", () => {
  const { rows } = readTable<Table<Row>>("yaml.json");

  test.each(rows.map((row) => [row.name, row] as const))("%s", (name, row) => {
    const theirs = row.error ? "error" : canonicalText(readJson(row.json as string, DEFAULT_LIMITS.maxDepth));
    if (Object.hasOwn(DIFFERENT, name)) expect(read(row.yaml)).not.toBe(theirs);
    else expect(read(row.yaml)).toBe(theirs);
  });

  test("every difference is a row of the table", () => {
    const names = new Set(rows.map((row) => row.name));
    expect(Object.keys(DIFFERENT).filter((name) => !names.has(name))).toEqual([]);
  });
});
