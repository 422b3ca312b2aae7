// Do operators, indexes and macros pay for the texts and maps that they go through?
//
// What the engine compares internally cannot be counted from outside. Instead the values are such that nothing but a look
// at all of the characters can give the answer: long texts that differ at their ends.
import { describe, expect, test } from "vitest";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import { everyLibrary } from "../library/every-library.ts";
import { BYTES, DYN, listOf, mapOf, STRING } from "../type.ts";
import { Bytes } from "../value/boxes.ts";
import { CelError } from "../value/value.ts";

const LONG = 1_000_000;

/** A text that is not part of another one, so that the engine cannot see that they are the same. */
function ending(end: string): string {
  return Buffer.alloc(LONG, "a").toString() + end;
}

const [x, y, z] = [ending("x"), ending("y"), ending("z")] as [string, string, string];
const bytes = (end: string): Bytes => new Bytes(new TextEncoder().encode(ending(end)));

const DATA = {
  x,
  y,
  z,
  wide: ending("\u4e2d"),
  a: bytes("a"),
  b: bytes("b"),
  m: { [x]: 1, [y]: 2 },
  n: { [y]: 2, [x]: 1 },
  l: [x, y],
};

const TYPED = {
  x: STRING,
  y: STRING,
  z: STRING,
  wide: STRING,
  a: BYTES,
  b: BYTES,
  m: mapOf(STRING, DYN),
  n: mapOf(STRING, DYN),
  l: listOf(STRING),
};
const UNTYPED = Object.fromEntries(Object.keys(TYPED).map((name) => [name, DYN]));

const OPERATORS = ["<", "<=", ">", ">=", "==", "!="].flatMap((operator) => [
  `x ${operator} y`,
  `x ${operator} wide`,
  `a ${operator} b`,
  `[x].exists(e, e ${operator} y)`,
]);

const FORMS = [
  ...OPERATORS,
  "x in [y]",
  "z in l",
  "z in m",
  "m[x] == 1",
  "m[?z].hasValue()",
  "{x: 1, y: 2} == m",
  "{x: 1, y: 2}[?z].hasValue()",
  "z in {x: 1}",
  "size({x: 1, y: 2}) == 2",
  "x + y == ''",
  "m == n",
  "l == [y, x]",
  "m.exists(k, true)",
  "m.all(k, v, true)",
  "m.existsOne(k, true)",
  "m.map(k, 1) == []",
  "m.filter(k, true) == []",
  "m.transformList(k, v, 1) == []",
  "m.transformMap(k, v, 1) == {}",
  "m.transformMapEntry(k, v, {k: v}) == {}",
  "google.protobuf.Struct{fields: m} == {}",
  "l.sort() == []",
  "l.max() == ''",
  "l.distinct() == []",
  "json.encode(m) == ''",
  "'%s'.format([m]) == ''",
];

describe.for([
  ["types that are known", TYPED],
  ["types that are not known", UNTYPED],
] as const)("%s", ([, variables]) => {
  const env = environment({ libraries: everyLibrary, variables });

  test.for(FORMS)("%s", (text) => {
    const { program, errors } = compile(text, env);
    expect(errors).toEqual([]);
    program?.limit({ cost: 1e12, memory: 1e12, work: 1e12 });
    expect(program?.evaluate(DATA)).not.toBeInstanceOf(CelError);
    const paid = 10 * (program?.cost ?? 0) + (program?.work ?? 0) + (program?.memory ?? 0);
    expect(paid).toBeGreaterThan(LONG / 1024);
  });
});

test("to compare a long text over and over ends at the limit", () => {
  const { program } = compile(
    "lists.range(100000).all(i, x < y)",
    environment({ libraries: everyLibrary, variables: UNTYPED }),
  );
  expect(program?.evaluate(DATA)).toMatchObject({ limit: "work" });
});

test("long texts that differ early cost no more than short ones", () => {
  const { program } = compile("x < ('b' + y)", environment({ libraries: everyLibrary, variables: UNTYPED }));
  program?.limit({ cost: 1e12, memory: 1e12 });
  const before = compile("'b' + y", environment({ libraries: everyLibrary, variables: UNTYPED })).program?.limit({
    cost: 1e12,
    memory: 1e12,
  });
  before?.evaluate(DATA);
  expect(program?.evaluate(DATA)).toBe(true);
  expect((program?.work ?? 0) - (before?.work ?? 0)).toBeLessThan(10);
});

test("of many long keys of one length each that is compared is paid for", () => {
  const key = (index: number): string => `${"k".repeat(20_000)}${1000 + index}`;
  const variables = { k: DYN, m: DYN };
  const m = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [key(index), index]));
  const { program } = compile("k in m", environment({ libraries: everyLibrary, variables }));
  expect(program?.evaluate({ k: key(500), m })).toBe(false);
  expect(program?.work).toBeGreaterThan((200 * 20_000) / 1024 - 200);
});
