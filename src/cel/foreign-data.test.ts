// What happens with the data of a program that is not as it should be?
import { expect, test } from "vitest";
import { answer, programOf } from "../../test/cel/custom-program.ts";
import { DYN } from "./type.ts";
import { writeValue } from "./value/describe.ts";
import { CelError, DataError, type Value } from "./value/value.ts";

class Node {
  name = "rack-7";
  labels = { tier: "gold" };
  get secret(): string {
    return "inherited";
  }
}

test.for([
  ["$.a", new Map([["a", 1]]), "a Map, which is no value of CEL; give an object, or a CelMap"],
  ["has($.a)", new Map([["a", 1]]), "a Map, which is no value of CEL; give an object, or a CelMap"],
  ["$ == {}", new Map(), "a Map, which is no value of CEL; give an object, or a CelMap"],
  ["$.size()", new Set([1]), "a Set, which is no value of CEL; give an array"],
  ["$.exists(y, y == 1)", new Set([1]), "a Set, which is no value of CEL; give an array"],
  ["1 in $", new Set([1]), "a Set, which is no value of CEL; give an array"],
  [
    "$.getHours()",
    new Date(0),
    "a Date, which is no value of CEL; give a Timestamp: parseTimestamp(date.toISOString())",
  ],
  ["$ == 'a'", new Date(0), "a Date, which is no value of CEL; give a Timestamp: parseTimestamp(date.toISOString())"],
  ["type($)", new Uint8Array(1), "a Uint8Array, which is no value of CEL; give Bytes"],
  ["$.a == 1", Promise.resolve({ a: 1 }), "a Promise, which is no value of CEL; await it before"],
  ["$ == 1", () => 1, "a function, which is no value of CEL"],
  ["$ == $", Symbol("x"), "a symbol, which is no value of CEL"],
  ["$ == $", /a/, "a RegExp, which is no value of CEL"],
] as [string, unknown, string][])("%s is rejected on %s, at any depth", ([text, value, kind]) => {
  const on = (path: string): string => text.replaceAll("$", () => path);
  expect(answer(on("x"), { x: value })).toBe(`error: the data has ${kind}`);
  expect(answer(on("x.y"), { x: { y: value } })).toBe(`error: the data has ${kind}`);
  expect(answer(on("l[0]"), { l: [value] })).toBe(`error: the data has ${kind}`);
  expect(answer(`dyn(${on("x")}) == 1 || true`, { x: value })).toBe(`error: the data has ${kind}`);
});

test("what is refused is an error of its own kind", () => {
  expect(programOf("x == 1", { x: DYN }).evaluate({ x: new Date(0) })).toBeInstanceOf(DataError);
  expect(programOf("l == [1]", { l: DYN }).evaluate({ l: [undefined] })).toBeInstanceOf(DataError);
});

test("only own properties are read", () => {
  const inherited = Object.create({ a: 1, nested: { b: 2 } });
  inherited.own = 3;
  expect(answer("x.own", { x: inherited })).toBe(3);
  expect(answer("x.a", { x: inherited })).toBe("error: no such key: a");
  expect(answer("x['a']", { x: inherited })).toBe("error: no such key: a");
  expect(answer("has(x.a) || x.?nested.b.hasValue()", { x: inherited })).toBe(false);
  expect(answer("l.exists(y, y.a == 1)", { l: [inherited] })).toBe("error: no such key: a");
  expect(answer("x.size()", { x: inherited })).toBe(1);
  expect(programOf("x", { x: DYN }).evaluate(Object.create({ x: 1 }))).toMatchObject({
    message: "the variable x has no value",
  });
});

test("an object of a class is a map of its own properties", () => {
  expect(answer("n.name == 'rack-7' && n.labels.tier == 'gold'", { n: new Node() })).toBe(true);
  expect(answer("n.secret", { n: new Node() })).toBe("error: no such key: secret");
  expect(answer("n == {'name': 'rack-7', 'labels': {'tier': 'gold'}}", { n: new Node() })).toBe(true);
});

test.for([
  ["x.when", { when: new Date(0) }],
  ["x.?when", { when: new Date(0) }],
  ["x.?when.orValue({})", { when: new Date(0) }],
  ["x.l[0]", { l: [new Date(0)] }],
  ["x.l.filter(y, true)[0]", { l: [new Date(0)] }],
])("%s is refused also where it is the result", ([text, value]) => {
  const program = programOf(text as string, { x: DYN });
  expect(program.evaluate({ x: value })).toBeInstanceOf(DataError);
  expect(program.trace({ x: value }).result).toBeInstanceOf(DataError);
});

test("a result with something in it that is no value cannot be written", () => {
  for (const x of [{ m: new Map() }, [undefined], [new Date(0)], { m: [Promise.resolve(1)] }]) {
    const result = programOf("x", { x: DYN }).evaluate({ x });
    expect(() => writeValue(result as Value)).toThrow(/^there is .*, which is no value of CEL/);
  }
  expect(() => writeValue(new CelError("no") as never)).toThrow("there is an error, which is no value of CEL: no");
  expect(answer("x.a.b", { x: { a: [new Map()] } })).toBe('error: a list is indexed by an int, not by "b"');
});

test("a property that is undefined is not there", () => {
  const x = { a: undefined, b: 1 };
  expect(answer("[size(x) == 1, has(x.a), 'a' in x, x == x, x == {'b': 1}, x.?a.hasValue()]", { x })).toEqual([
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
  expect(answer("x.map(k, k) == ['b'] && x.all(k, v, v == 1) && {'b': 1} == x", { x })).toBe(true);
  expect(answer("x.a", { x })).toBe("error: no such key: a");
  expect(answer("'%s'.format([x]) + json.encode(x)", { x })).toBe('{b: 1}{"b":1}');
  expect(writeValue(x as never)).toBe('{"b": 1}');
});

test("an element that is undefined is not out of bounds, but no value", () => {
  expect(answer("l[0]", { l: [undefined] })).toBe("error: the data has undefined, which is no value of CEL");
  expect(answer("l[1]", { l: [undefined] })).toBe("error: index out of bounds: 1 (the list has 1 elements)");
});

test.for(["x.a", "has(x.a)", "size(x)", "x == {}", "x.map(k, k)", "x.a == 1 || true", "x in [{}]"])(
  "%s on data that throws is an error of the evaluation",
  (text) => {
    const getter = {
      get a(): never {
        throw new Error("boom");
      },
    };
    const throwing = (): never => {
      throw new Error("boom");
    };
    const proxy = new Proxy({}, { get: throwing, ownKeys: throwing, getOwnPropertyDescriptor: throwing });
    const program = programOf(text, { x: DYN });
    for (const x of [getter, proxy]) {
      const result = program.evaluate({ x });
      expect(result).toBeInstanceOf(DataError);
      expect((result as DataError).message).toBe("the data cannot be read: boom");
    }
    expect(program.evaluate({ x: { a: 1 } })).not.toBeInstanceOf(DataError);
  },
);

test("an object without a prototype is one like any other", () => {
  expect(answer("x.a", { x: Object.assign(Object.create(null), { a: 1 }) })).toBe(1);
});
