// What happens with the data of a program that is not as it should be?
import fc from "fast-check";
import { expect, test } from "vitest";
import { answer, programOf } from "../../test/cel/custom-program.ts";
import { bindings, expressions } from "../../test/cel/expressions.ts";
import { compile } from "./compile.ts";
import { DYN } from "./type.ts";
import { Optional } from "./value/boxes.ts";
import { writeValue } from "./value/describe.ts";
import { Timestamp } from "./value/timestamp.ts";
import { CelError, DataError, type Result, type Value } from "./value/value.ts";

class Node {
  name = "rack-7";
  labels = { tier: "gold" };
  get secret(): string {
    return "inherited";
  }
}

test.for([
  ["$.size()", new Set([1]), "a Set, which is no value of CEL; give an array"],
  ["$.exists(y, y == 1)", new Set([1]), "a Set, which is no value of CEL; give an array"],
  ["1 in $", new Set([1]), "a Set, which is no value of CEL; give an array"],
  ["$.a == 1", Promise.resolve({ a: 1 }), "a Promise, which is no value of CEL; await it before"],
  ["$ == 1", () => 1, "a function, which is no value of CEL"],
  ["$ == $", Symbol("x"), "a symbol, which is no value of CEL"],
  ["$ == $", /a/, "a RegExp, which is no value of CEL"],
  ["type($)", new Uint16Array(1), "a Uint16Array, which is no value of CEL"],
  [
    "$.size()",
    new Map([[{}, 1]]),
    "a Map, which is no value of CEL; its keys have to be strings, booleans or whole numbers, each once",
  ],
  [
    "$[1] == 1",
    new Map<unknown, number>([
      [1, 1],
      [1n, 2],
    ]),
    "a Map, which is no value of CEL; its keys have to be strings, booleans or whole numbers, each once",
  ],
  [
    "$ == $",
    new Map([[1.5, 1]]),
    "a Map, which is no value of CEL; its keys have to be strings, booleans or whole numbers, each once",
  ],
  [
    "$.getHours()",
    new Date(Number.NaN),
    "a Date, which is no value of CEL; it has to be valid and in the years 1 to 9999",
  ],
  [
    "$.getHours()",
    new Date("-000001-01-01T00:00:00Z"),
    "a Date, which is no value of CEL; it has to be valid and in the years 1 to 9999",
  ],
] as [string, unknown, string][])("%s is rejected on %s, at any depth", ([text, value, kind]) => {
  const on = (path: string): string => text.replaceAll("$", () => path);
  expect(answer(on("x"), { x: value })).toBe(`error: the data has ${kind}`);
  expect(answer(on("x.y"), { x: { y: value } })).toBe(`error: the data has ${kind}`);
  expect(answer(on("l[0]"), { l: [value] })).toBe(`error: the data has ${kind}`);
  expect(answer(`dyn(${on("x")}) == 1 || true`, { x: value })).toBe(`error: the data has ${kind}`);
});

test("what is refused is an error of its own kind", () => {
  expect(programOf("x == 1", { x: DYN }).evaluate({ x: new Set() })).toBeInstanceOf(DataError);
  expect(programOf("l == [1]", { l: DYN }).evaluate({ l: [undefined] })).toBeInstanceOf(DataError);
});

test.for([
  ["$.a", new Map([["a", 1]]), 1],
  ["has($.a) && !has($.b)", new Map([["a", 1]]), true],
  ["$ == {}", new Map(), true],
  [
    "$[1] + $[2]",
    new Map<unknown, number>([
      [1, 10],
      [2n, 20],
    ]),
    30,
  ],
  ["$[true]", new Map([[true, 7]]), 7],
  [
    "$.map(k, k)",
    new Map([
      ["b", 1],
      ["a", 2],
    ]),
    ["a", "b"],
  ],
  ["$['__proto__']", new Map([["__proto__", 1]]), 1],
  ["$.getFullYear()", new Date(0), 1970],
  ["$ == timestamp('1969-12-31T23:59:59.999Z')", new Date(-1), true],
  ["$ in [timestamp(0)]", new Date(0), true],
  ["[$, timestamp(1)].sort()[0] == timestamp(0)", new Date(0), true],
  ["$ == b'\\x01\\x02'", Uint8Array.of(1, 2), true],
  ["$.size()", Buffer.from("äb"), 3],
  ["type($) == bytes", Uint8Array.of(), true],
  ["$.when.getFullYear()", new Map([["when", new Date(0)]]), 1970],
  ["$[0][0].getFullYear()", [[new Date(0)]], 1970],
  ["$.exists(d, d == timestamp(0))", [new Date(0)], true],
  ["$ == {'a': {'b': [timestamp(0)]}}", { a: { b: [new Date(0)] } }, true],
  ["json.encode($)", { b: new Map([["c", 1]]) }, '{"b":{"c":1}}'],
] as [string, unknown, unknown][])("%s works on %s, at any depth", ([text, value, expected]) => {
  const on = (path: string): string => text.replaceAll("$", () => path);
  expect(answer(on("x"), { x: value })).toEqual(expected);
  expect(answer(on("x.y"), { x: { y: value } })).toEqual(expected);
  expect(answer(on("l[0]"), { l: [value] })).toEqual(expected);
  expect(answer(on("x.y"), { x: new Map([["y", value]]) })).toEqual(expected);
});

test("a Map is for every expression what an object with its entries is", () => {
  const withMaps = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withMaps);
    if (typeof value !== "object" || value === null) return value;
    return new Map(Object.entries(value).map(([key, part]) => [key, withMaps(part)]));
  };
  const variables = { o: "map(string, dyn)", n: "int", s: "string", l: "list(int)", d: "dyn" };
  fc.assert(
    fc.property(expressions, bindings, (text, data) => {
      const [one, other] = [programOf(text, variables), programOf(text, variables)];
      const maps = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, withMaps(value)]));
      const [wanted, got] = [one.evaluate(data), other.evaluate(maps)];
      const shown = (result: Result): string => (result instanceof CelError ? result.message : writeValue(result));
      expect(shown(got), text).toBe(shown(wanted));
      expect(other.cost).toBe(one.cost);
    }),
    { numRuns: 1000 },
  );
});

test("data is converted for every evaluation, and is not changed by it", () => {
  const program = programOf("x.when.getFullYear()", { x: DYN });
  const data = { x: { when: new Date("2020-01-01T00:00:00Z"), other: [1] } };
  expect(program.evaluate(data)).toBe(2020);
  expect(program.evaluate({ x: { when: new Date("2021-01-01T00:00:00Z") } })).toBe(2021);
  data.x.when.setUTCFullYear(2022);
  expect(program.evaluate(data)).toBe(2022);
  expect(data).toEqual({ x: { when: new Date("2022-01-01T00:00:00Z"), other: [1] } });
});

test("the costs are those of values of CEL", () => {
  const program = programOf("x.when == y.when", { x: DYN, y: DYN });
  expect(program.evaluate({ x: { when: new Date(0) }, y: { when: new Timestamp(0, 0) } })).toBe(true);
  const { cost } = program;
  const second = programOf("x.when == y.when", { x: DYN, y: DYN });
  expect(second.evaluate({ x: { when: new Timestamp(0, 0) }, y: { when: new Timestamp(0, 0) } })).toBe(true);
  expect(second.cost).toBe(cost);
});

test("data that contains itself can be read where it does not", () => {
  const x: Record<string, unknown> = { name: "a", when: new Date(0) };
  x.self = x;
  expect(answer("x.self.self.name", { x })).toBe("a");
  expect(answer("x.when.getFullYear()", { x })).toBe(1970);
});

test("with doubles for all numbers, those in a Map are doubles too", () => {
  const { program } = compile("m.a / 2.0 + m.l[0]", { variables: { m: "dyn" }, numbers: "double" });
  expect(
    program?.run({
      m: new Map<string, unknown>([
        ["a", 1],
        ["l", [1]],
      ]),
    }),
  ).toBe(1.5);
});

test("a number is read as the declared type of its variable says", () => {
  const variables = { price: "double", prices: "map(string, list(double))", count: "uint" };
  const run = (text: string): unknown =>
    compile(text, { variables }).program?.run({ price: 3, prices: { a: [1, 2.5] }, count: 2 });
  expect(run("price * 1.5")).toBe(4.5);
  expect(run("prices.a[0] * 1.5")).toBe(1.5);
  expect(run("prices['a'].map(p, p * 2.0)")).toEqual([2, 5]);
  expect(run("count + 1u == 3u")).toBe(true);
});

test("an optional variable is bound to its content, or to undefined", () => {
  const { program } = compile("o.orValue(7)", { variables: { o: "optional_type(int)" } });
  expect(program?.run({ o: 5 })).toBe(5);
  expect(program?.run({ o: new Optional(6) })).toBe(6);
  expect(program?.run({ o: undefined })).toBe(7);
  expect(program?.evaluate({})).toMatchObject({ message: "the variable o has no value" });
  expect(compile("o == optional.of(5)", { variables: { o: "optional_type(int)" } }).program?.run({ o: 5 })).toBe(true);
});

test("what does not have the declared type is reported where it is used", () => {
  const { program } = compile("price * 1.5", { variables: { price: "double" } });
  expect(program?.evaluate({ price: "3" })).toMatchObject({ message: "no such overload: *(string, double)" });
  expect(program?.evaluate({})).toMatchObject({ message: "the variable price has no value" });
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
  ["x.when", { when: new Set() }],
  ["x.?when", { when: new Set() }],
  ["x.?when.orValue({})", { when: new Set() }],
  ["x.l[0]", { l: [new Set()] }],
  ["x.l.filter(y, true)[0]", { l: [new Set()] }],
])("%s is refused also where it is the result", ([text, value]) => {
  const program = programOf(text as string, { x: DYN });
  expect(program.evaluate({ x: value })).toBeInstanceOf(DataError);
  expect(program.trace({ x: value }).result).toBeInstanceOf(DataError);
});

test("a result with something in it that is no value cannot be written", () => {
  for (const x of [{ m: new Set() }, [undefined], [new Date(Number.NaN)], { m: [Promise.resolve(1)] }]) {
    const result = programOf("x", { x: DYN }).evaluate({ x });
    expect(() => writeValue(result as Value)).toThrow(/^there is .*, which is no value of CEL/);
  }
  expect(() => writeValue(new CelError("no") as never)).toThrow("there is an error, which is no value of CEL: no");
  expect(answer("x.a.b", { x: { a: [new Set()] } })).toBe('error: a list is indexed by an int, not by "b"');
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

test("with data of JSON nothing is converted", () => {
  const { program } = compile("x == 1", { variables: { x: "dyn" }, data: "json" });
  expect(program?.evaluate({ x: new Date(0) })).toMatchObject({
    message: expect.stringMatching(/^the data has a Date, .* \(with data: "json" nothing is converted\)$/),
  });
});

test("frozen data is converted like any other", () => {
  const x = Object.freeze({ when: new Date(0), deep: Object.freeze({ days: Object.freeze([new Date(0)]) }) });
  expect(answer("x.when.getFullYear()", { x })).toBe(1970);
  expect(answer("x.deep.days[0].getFullYear()", { x })).toBe(1970);
  expect(answer("x == {'when': timestamp(0), 'deep': {'days': [timestamp(0)]}}", { x })).toBe(true);
  const { program } = compile("prices.a * 1.5", { variables: { prices: "map(string, double)" } });
  expect(program?.run({ prices: Object.freeze({ a: 2 }) })).toBe(3);
});

test("a getter reads its own object, not the converted one", () => {
  const x = {
    when: new Date(0),
    get year(): number {
      return this.when.getUTCFullYear();
    },
  };
  expect(answer("x.when.getFullYear() == x.year", { x })).toBe(true);
  expect(answer("l.exists(y, y.when.getFullYear() == y.year)", { l: [x] })).toBe(true);
});

test("a property that is not enumerable stays so, whether or not something beside it is converted", () => {
  const hidden = (x: object): object => Object.defineProperty(x, "hidden", { value: 1 });
  for (const x of [hidden({ when: new Date(0) }), hidden({ when: new Timestamp(0, 0) })])
    expect(answer("[x.hidden, x.size(), x.when.getFullYear()]", { x })).toEqual([1, 1, 1970]);
});

test("a RangeError of the data is no limit of the evaluation", () => {
  const x = {
    get a(): never {
      throw new RangeError("boom");
    },
  };
  const result = programOf("x.a", { x: DYN }).evaluate({ x });
  expect(result).toBeInstanceOf(DataError);
  expect(result).toMatchObject({ message: "the data cannot be read: boom" });
});

test("a -0 is the int 0", () => {
  expect(answer("1.0 / double(x)", { x: -0 })).toBe(Number.POSITIVE_INFINITY);
});

test("an array that claims to have very many elements is not walked", () => {
  const x = new Array(1_000_000_000);
  const read = compile("x[0] == 1.0", { variables: { x: "list(double)" } }).program?.evaluate({ x });
  expect(read).toMatchObject({ message: expect.stringContaining("too long to be converted") });
  expect(compile("x[0] + 'b'", { variables: { x: "dyn" } }).program?.evaluate({ x })).toBeInstanceOf(CelError);
});
