import fc from "fast-check";
import { CORE_SCHEMA, load, YAML11_SCHEMA } from "js-yaml";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../input/limits.ts";
import { readYaml } from "../../input/yaml-text.ts";
import type { Json } from "../../model/json.ts";
import { printYaml } from "./yaml.ts";

const readAsKubernetes = (text: string): unknown => readYaml(text, DEFAULT_LIMITS).values[0];

test.each(
  "on y n Yes NO off true ~ null 012 08 0_8 0_Xa 1_000 0o7 -0o7 +0o7 0b1 0x1f 1e3 1e400 .5 1. .inf -.INF .nan = << 1:30 190:20:30 2001-01-01".split(
    " ",
  ),
)("the text %s is quoted", (text) => {
  expect(printYaml({ value: text })).toBe(`value: '${text}'\n`);
  expect(printYaml({ [text]: 1 })).toBe(`'${text}': 1\n`);
});

test.each(["1.2.3", "v1", "lantern.v2.4.0", "4.18.x", "nope", ">=1.0.0"])("the text %s keeps its value", (text) => {
  expect(readAsKubernetes(printYaml({ value: text }))).toEqual({ value: text });
});

test("key order is kept, shared objects are written out, long lines are not folded", () => {
  const shared = { group: "g", kind: "K" };
  const value = { z: [shared, shared], a: "word ".repeat(40).trim(), big: 2n ** 70n, small: -(2n ** 63n), none: [] };
  expect(printYaml(value)).toBe(`z:
  - group: g
    kind: K
  - group: g
    kind: K
a: ${"word ".repeat(40).trim()}
big: 1180591620717411303424
small: -9223372036854775808
none: []
`);
});

test("what must not reach a terminal is an escape, in keys as well", () => {
  const value = { "k\u200b": "a\u202eb\nc\u{e0001}", esc: "\u001b[2J", csi: "\u009b0m" };
  const text = printYaml(value);
  expect(text).toMatchInlineSnapshot(`
    ""k\\u200B": "a\\u202Eb\\nc\\U000E0001"
    esc: "\\e[2J"
    csi: "\\x9B0m"
    "
  `);
  expect(readAsKubernetes(text)).toEqual(value);
});

test("no line begins like a command to a build service, in keys as well", () => {
  const value = { "::set-env::": "one\n::stop-commands::x", text: "one\ntwo", log: "##[error]x", at: "::1" };
  const text = printYaml({ ...value, list: ["::group::x"] });
  expect(text).not.toMatch(/^\s*::|##\[/m);
  expect(text).toContain("text: |-\n  one\n  two\n");
  expect(readAsKubernetes(text)).toEqual({ ...value, list: ["::group::x"] });
});

test("texts and keys of any length are written", () => {
  for (const text of ["a", "1", "line\n", "\u202e", "#", ": "]) {
    const value = { [`key ${text.repeat(100_000)}`]: text.repeat(2_500_000) };
    const written = printYaml(value);
    expect(readAsKubernetes(written)).toEqual(value);
  }
});

test("every reader finds the value again", () => {
  const word = fc.oneof(
    fc.string(),
    fc.string({ unit: "grapheme" }),
    fc.stringMatching(/^[-+.0-9_:eExXoObBa-fyn~<=]{1,6}$/),
  );
  const leaf = fc.oneof(
    word,
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, min: -1e15, max: 1e15 }),
  );
  const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf as fc.Arbitrary<Json>,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(word, tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(values, (value) => {
      fc.pre(!JSON.stringify(value).includes("__proto__"));
      const text = printYaml(value);
      expect(text).not.toMatch(/[&*]ref_/);
      expect(readAsKubernetes(text)).toEqual(value);
      expect(load(text, { schema: CORE_SCHEMA })).toEqual(value);
      expect(load(text, { schema: YAML11_SCHEMA })).toEqual(value);
    }),
    { numRuns: 2000 },
  );
});
