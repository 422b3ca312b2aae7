// Does every way of writing documents give the same values, and does a broken one cost only itself?

import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Finding } from "../model/finding.ts";
import type { JsonObject } from "../model/json.ts";
import type { Place } from "../model/place.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { Documents } from "./read-documents.ts";

interface Result {
  readonly values: readonly JsonObject[];
  readonly places: readonly Place[];
  readonly findings: readonly Finding[];
}

/** Reads text or bytes, cut into chunks of some length. */
function read(input: string | Uint8Array, chunk = 1 << 20, limits: Limits = DEFAULT_LIMITS): Result {
  const values: JsonObject[] = [];
  const places: Place[] = [];
  const findings: Finding[] = [];
  const documents = new Documents({
    source: "in",
    limits,
    report: (item) => findings.push(item),
    sink: (value, place) => {
      values.push(value);
      places.push(place);
    },
  });
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  for (let at = 0; at < bytes.length; at += chunk) if (!documents.push(bytes.subarray(at, at + chunk))) break;
  documents.end();
  return { values, places, findings };
}

/** Where and what was found wrong, in short. */
function findingLines(result: Result): string[] {
  return result.findings.map(({ code, place, message }) => `${place.line}:${place.column} ${code} ${message}`);
}

test.each([
  ['[{"a":1}]', "write each item as a separate document, one after another"],
  ["[]", "write each item as a separate document, one after another"],
  ["- a: 1\n", "write each item as a separate document, separated by ---"],
  [
    '[{"kind":"K"}]',
    "write each item as a separate document, one after another; or make it the `items:` of a `kind: List`",
  ],
  [
    "- kind: K\n",
    "write each item as a separate document, separated by ---; or make it the `items:` of a `kind: List`",
  ],
])("a list is to be written otherwise: %j", (text, help) => {
  expect(read(text).findings.map((found) => found.help)).toEqual([help]);
});

describe("forms", () => {
  test.each<[string, string, number]>([
    ["JSON lines", '{"a":1}\n{"a":2}\n', 2],
    ["JSON lines without a last line end", '{"a":1}\n{"a":2}', 2],
    ["JSON lines with CRLF", '{"a":1}\r\n{"a":2}\r\n', 2],
    ["JSON side by side", '{"a":1}{"a":2} {"a":3}', 3],
    ["JSON over lines", '{\n  "a": 1\n}\n{\n  "a": 2\n}\n', 2],
    ["JSON with nested braces at the line start", '{\n"a":\n{\n"b":1\n}\n}\n{"a":2}\n', 2],
    ["YAML documents", "a: 1\n---\na: 2\n---\na: 3\n", 3],
    ["YAML with a leading separator", "---\na: 1\n---\na: 2\n", 2],
    ["YAML with CRLF", "a: 1\r\n---\r\na: 2\r\n", 2],
    ["YAML with directives and comments", "# head\n%YAML 1.1\n---\na: 1\n--- # more\na: 2\n...\n", 2],
    ["YAML in braces", "{a: 1}\n---\n{a: 2}\n", 2],
    ["YAML with empty documents", "---\n---\na: 1\n---\n\n---\n", 1],
    ["a byte order mark", '\ufeff{"a":1}\n', 1],
    ["text with --- inside", "a: |\n  x\n  ---\n  y\nb: a---b\n", 1],
    ["nothing", "", 0],
    ["only whitespace", " \n\n\t\n", 0],
    ["only comments", "# nothing\n", 0],
  ])("%s", (_, text, count) => {
    const result = read(text);
    expect(findingLines(result)).toEqual([]);
    expect(result.values).toHaveLength(count);
  });

  test("a document has its line and column", () => {
    const at = (text: string) => read(text).places.map((place) => `${place.line}:${place.column}`);
    expect(at('{"a":1}\n\n  {"a":2}{"a":3}\n')).toEqual(["1:1", "3:3", "3:10"]);
    expect(at("# one\na: 1\n---\n# two\n\na: 2\n")).toEqual(["2:1", "6:1"]);
  });
});

describe("numbers", () => {
  test.each([
    ['{"a":9007199254740993}', { a: 9007199254740993n }],
    ['{"a":[-9223372036854775808]}', { a: [-9223372036854775808n] }],
    ['{"a":9007199254740991}', { a: 9007199254740991 }],
    ['{"a":"9007199254740993","b":1e300}', { a: "9007199254740993", b: 1e300 }],
    ["a: 9007199254740993\n", { a: 9007199254740993n }],
    ["a: 0x20000000000001\n", { a: 9007199254740993n }],
  ])("%s", (text, value) => {
    expect(read(text).values).toEqual([value]);
  });

  test("a number beyond every double is an error at its place", () => {
    expect(findingLines(read('{"a":1}\n{"a":1e400}\n{"a":3}\n'))).toEqual(["2:6 PL004 the number 1e400 is too large"]);
    expect(findingLines(read("a: .inf\n"))).toEqual(["1:4 PL003 Infinity is not a number of JSON"]);
  });
});

describe("a broken document does not affect others", () => {
  test.each<[string, string, number, string[]]>([
    ["a missing quote", '{"a":1}\n{"b:2}\n{"a":3}\n', 2, ["2:2 PL003 a text is not closed on its line"]],
    ["a cut line", '{"a":1}\n{"b":\n{"a":3}\n', 2, ["3:1 PL003 the document ends where a value is expected"]],
    ["a comma too many", '{"a":1,}\n{"a":2}\n', 1, ["1:8 PL003 there is a comma before the closing }"]],
    ["a comma missing", '{"a":1 "b":2}\n{"a":2}\n', 1, ['1:8 PL003 expected "," or "}", found "\\""']],
    ["a bare word", '{"a":yes}\n{"a":2}\n', 1, ['1:6 PL003 "yes" is not a JSON value']],
    ["a bad escape", '{"a":"\\x"}\n{"a":2}\n', 1, ["1:7 PL003 \\x is not an escape of JSON"]],
    ["rubbish between", '{"a":1}\nrubbish\n{"a":2}\n', 2, ['2:1 PL003 "rubbish" is not a JSON value']],
    ["an open end", '{"a":1}\n{"b":{"c":1}', 1, ['2:13 PL003 the document ends where "," or "}" is expected']],
    ["a list", '[1]\n{"a":1}\n', 1, ["1:1 PL006 this document is a list, not an object"]],
    ["a text", '"x"\n', 0, ["1:1 PL006 this document is text, not an object"]],
    ["a tab in YAML", "a: 1\n---\nb:\n\tc: 1\n---\nd: 1\n", 2, ["4:1 PL003 a tab is used for indentation"]],
    ["bad indentation", "a:\n  b: 1\n c: 2\n---\nd: 1\n", 1, ["3:2 PL003 this does not fit what is above"]],
    [
      "duplicate keys",
      "a: 1\nb: 2\na: 3\nb: 4\n",
      1,
      ['3:1 PL005 the key "a" appears twice in one object', '4:1 PL005 the key "b" appears twice in one object'],
    ],
    ["a duplicate key and a missing one", "a: 1\na: 2\n: 3\n---\nb: 1\n", 1, ["1:1 PL003 a key is missing"]],
    ["an unknown alias", "a: *x\n---\nb: 1\n", 1, ["1:5 PL003 an alias (*name) has no anchor (&name) before it"]],
  ])("%s", (_, text, count, messages) => {
    const result = read(text);
    expect(findingLines(result)).toEqual(messages);
    expect(result.values).toHaveLength(count);
  });

  test("the last of two equal keys counts", () => {
    expect(read("a: 1\na: 2\n").values).toEqual([{ a: 2 }]);
  });

  test("invalid UTF-8", () => {
    const bytes = new TextEncoder().encode('{"a":1}\n{"b":"?"}\n{"a":"é\ufffd"}\n');
    bytes[bytes.indexOf(0x3f)] = 0xff;
    const result = read(bytes);
    expect(findingLines(result)).toEqual(["2:7 PL002 this is not UTF-8 text"]);
    expect(result.values).toEqual([{ a: 1 }, { a: "é\ufffd" }]);
  });

  test("a binary file", () => {
    expect(findingLines(read(new Uint8Array([1, 2, 0, 3])))).toEqual([
      "0:0 PL002 this is a binary file, neither YAML nor JSON",
    ]);
    expect(findingLines(read(new Uint8Array([0xff, 0xfe, 0x61, 0])))).toEqual(["0:0 PL002 this file is UTF-16 text"]);
  });
});

describe("limits", () => {
  const small: Limits = { maxDocumentBytes: 1000, maxDepth: 20, maxValues: 1000 };

  test("a document that is too long is skipped", () => {
    const long = `{"a":"${"x".repeat(2000)}"}`;
    const message = "PL004 a document is longer than 1000 bytes";
    expect(findingLines(read(`{"b":1}\n${long}\n{"b":2}\n`, 64, small))).toEqual([`2:1 ${message}`]);
    expect(read(`{"b":1}\n${long}\n{"b":2}\n`, 64, small).values).toHaveLength(2);
    const yaml = read(`b: 1\n---\na: ${"x".repeat(2000)}\n---\nb: 2\n`, 64, small);
    expect(findingLines(yaml)).toEqual([`2:1 ${message}`]);
    expect(yaml.values).toHaveLength(2);
  });

  test("a missing quote loses one line, also if the text up to the next quote is too long", () => {
    const good = Array.from({ length: 100 }, (_, id) => ({ id, text: "x".repeat(20) }));
    const text = `{"a":"b":"}\n${good.map((value) => JSON.stringify(value)).join("\n")}\n{"a":"}\n`;
    for (const chunk of [17, 700, 1 << 20]) {
      const result = read(text, chunk, small);
      expect(result.values).toEqual(good);
      expect(findingLines(result)[0]).toMatch(/^1:9 PL003/);
    }
  });

  test("a long list is read item by item", () => {
    const items = Array.from({ length: 100 }, (_, id) => ({ kind: "Thing", id, text: "x".repeat(50) }));
    const pretty = JSON.stringify({ apiVersion: "v1", items, kind: "List" }, null, 2);
    const flat = JSON.stringify({ apiVersion: "v1", kind: "List", metadata: {}, items });
    const yaml = `apiVersion: v1\nitems:\n${items.map(({ id, text }) => `- kind: Thing\n  id: ${id}\n  text: ${text}\n`).join("")}kind: List\n`;
    for (const text of [pretty, flat, `${flat}\n`, yaml])
      for (const chunk of [17, 1 << 20]) {
        const result = read(text, chunk, small);
        expect(findingLines(result)).toEqual([]);
        expect(result.values).toEqual(items);
      }
    expect(
      read(yaml, 100, small)
        .places.slice(0, 2)
        .map((place) => place.line),
    ).toEqual([3, 6]);
  });

  test("an item that is too long does not affect others", () => {
    const items = Array.from({ length: 60 }, (_, id) => ({
      kind: "Thing",
      id,
      text: "x".repeat(id === 30 ? 3000 : 50),
    }));
    const good = items.filter(({ id }) => id !== 30);
    const flat = JSON.stringify({ apiVersion: "v1", kind: "List", items });
    const byLines = `{"apiVersion":"v1","items":[\n${items.map((item) => JSON.stringify(item)).join(",\n")}\n],"kind":"List"}\n`;
    const yaml = `apiVersion: v1\nitems:\n${items.map(({ id, text }) => `- kind: Thing\n  id: ${id}\n  text: ${text}\n`).join("")}kind: List\n`;
    for (const text of [flat, byLines, yaml])
      for (const chunk of [17, 700, 1 << 20]) {
        const result = read(text, chunk, small);
        expect(result.values).toEqual(good);
        expect(findingLines(result)).toEqual([expect.stringMatching(/PL004 a document is longer than 1000 bytes$/)]);
      }
  });

  test("nesting", () => {
    const deep = `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
    expect(findingLines(read(`${deep}\n{"b":1}\n`))).toEqual([
      expect.stringMatching(/^1:\d+ PL004 objects and lists nest more than 512 deep$/),
    ]);
    expect(findingLines(read(`a: ${"[".repeat(10_000)}${"]".repeat(10_000)}\n---\nb: 1\n`))).toEqual([
      expect.stringMatching(/^1:\d+ PL004 objects and lists are nested too deeply$/),
    ]);
  });

  test("aliases that multiply", () => {
    const lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"];
    for (let level = 1; level < 10; level++)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(",")}]`,
      );
    const result = read(`${lines.join("\n")}\n---\nb: 1\n`);
    expect(findingLines(result)).toEqual(["1:1 PL004 aliases (*name) expand this document to many million values"]);
    expect(result.values).toEqual([{ b: 1 }]);
  });

  test("aliases that multiply long texts", () => {
    const lines = [`a0: &a0 ["${"y".repeat(10_000)}"]`];
    for (let level = 1; level < 5; level++)
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(",")}]`,
      );
    expect(findingLines(read(`${lines.join("\n")}\n`, 1 << 20, { ...DEFAULT_LIMITS, maxValues: 1_000_000 }))).toEqual([
      "1:1 PL004 aliases (*name) expand this document to many million values",
    ]);
  });

  test("a large document whose inner lines begin with a brace", () => {
    const lines = Array.from({ length: 60_000 }, (_, id) => JSON.stringify({ id, text: "v".repeat(80) }));
    const result = read(`{"name":"n","list":[\n${lines.join(",\n")}\n]}\n{"b":1}\n`);
    expect(findingLines(result)).toEqual([]);
    expect(result.values).toHaveLength(2);
  });

  test("one broken document among many does not affect others", () => {
    const good = "---\na: 1\n".repeat(3000);
    const result = read(`${good}---\na: b: c\n${good}---\nd: 1\nd: 2\n${good}`);
    expect(result.values).toHaveLength(9001);
    expect(findingLines(result).map((line) => line.slice(0, 10))).toEqual(["6002:5 PL0", "12005:1 PL"]);
  });

  test("an alias to itself", () => {
    expect(findingLines(read("a: &a\n  b: *a\n"))[0]).toMatch(/PL004/);
  });
});

describe("hostile keys", () => {
  test.each([
    '{"__proto__":{"x":1},"constructor":2}',
    '{"__proto__":{"x":1},"constructor":2,"n":9007199254740993}',
    "__proto__: {x: 1}\nconstructor: 2\n",
  ])("%s", (text) => {
    const [value] = read(text).values;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object).slice(0, 2)).toEqual(["__proto__", "constructor"]);
    expect((value as { x?: number }).x).toBeUndefined();
  });
});

describe("laws", () => {
  const seed = { seed: 20_261_115, numRuns: 300 };
  const value = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
  const lines = fc.array(
    fc.oneof(
      { weight: 5, arbitrary: value.map((item) => JSON.stringify(item)) },
      { weight: 2, arbitrary: value.map((item) => JSON.stringify(item, null, 1)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("{", '{"a', "}", "[1", "x", "---", "a: 1", '{"a":1}}', '{"a":"\\u12"}', ""),
      },
    ),
    { maxLength: 8 },
  );

  test("where the bytes are cut does not matter", () => {
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 40 }), (parts, chunk) => {
        const text = parts.join("\n");
        for (const limits of [DEFAULT_LIMITS, { ...DEFAULT_LIMITS, maxDocumentBytes: 60 }]) {
          const pieces = read(text, chunk, limits);
          const whole = read(text, undefined, limits);
          expect(pieces.values).toEqual(whole.values);
          expect(pieces.places).toEqual(whole.places);
          expect(findingLines(pieces)).toEqual(findingLines(whole));
        }
      }),
      seed,
    );
  });

  test("what was written is read", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), fc.constantFrom(0, 2), (values, indent) => {
        const text = values.map((item) => `${JSON.stringify(item, null, indent)}\n`).join("");
        const asNumbers = (item: unknown) =>
          JSON.parse(JSON.stringify(item, (_, part) => (typeof part === "bigint" ? Number(part) : part)));
        expect(read(text, 7).values.map(asNumbers)).toEqual(values.map(asNumbers));
      }),
      seed,
    );
  });

  test("whole lines of JSON survive anything between them", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 6 }), (rubbish) => {
        const text = rubbish.map((line) => `{"good":1}\n${line.replaceAll("\n", " ")}\n`).join("");
        const good = read(text).values.filter((item) => item.good === 1);
        expect(good.length).toBeGreaterThanOrEqual(rubbish.length);
      }),
      seed,
    );
  });

  test("any bytes yield only findings", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (bytes, chunk) => {
        read(bytes, chunk);
      }),
      seed,
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."{}[]\":,-\n \t#&*!|>a1'%\\"), maxLength: 60 }), (text) => {
        read(text, 5);
      }),
      { ...seed, numRuns: 1000 },
    );
  });
});

describe("text that could not be read is passed on", () => {
  /** The pieces; an ellipsis after one means that more is lost than the text. */
  function lost(input: string, chunk: number): string[] {
    const pieces: string[] = [];
    const documents = new Documents({
      ...{ source: "in", limits: DEFAULT_LIMITS, report: () => {}, sink: () => {} },
      lost: (text, { line }, isWhole) => pieces.push(`${line} ${text.trimEnd()}${isWhole ? "" : "…"}`),
    });
    const bytes = new TextEncoder().encode(input);
    for (let at = 0; at < bytes.length; at += chunk) documents.push(bytes.subarray(at, at + chunk));
    documents.end();
    return [...new Set(pieces)];
  }

  test.each([
    '{"a": {"b": 1',
    '{"a": {"b": 1}\n',
    '{"a": {"b": "say \\"c',
    '{"a": {"b": tru',
    "a: {b: [c",
    'a: {b: "c\n',
    "a:\n  b: c\n  lab",
  ])("%j is cut off", (text) => {
    for (const chunk of [1, 5, 1000]) expect(lost(text, chunk)).toContain(`1 ${text.trimEnd()}…`);
  });

  test("however long it is", () => {
    const text = `{"a": "${"b".repeat(10_000_000)}`;
    expect(lost(text, text.length).map((piece) => piece.slice(-1))).toContain("…");
  });

  test.each([
    ['{"a": b, "c": 1}\n{"d": 1}\n', '1 {"a": b, "c": 1}'],
    ['{"a": {"b": 1\n{"d": 1}\n', '1 {"a": {"b": 1'],
    ["a: {b: c\nd: {}\n", "1 a: {b: c\nd: {}"],
    ["a: 'b\n---\nc: d\n", "1 a: 'b"],
  ])("%j is not", (text, piece) => {
    for (const chunk of [1, 5, 1000]) expect(lost(text, chunk)).toEqual([piece]);
  });
});

test.each(["[1,1]", "[".repeat(1000), "[[1]]\n"])("JSON.parse, which has no limits, never reads a list: %s", (text) => {
  const parse = vi.spyOn(JSON, "parse");
  try {
    expect(read(text).findings).toHaveLength(1);
    expect(parse).not.toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});
