// What do compiled expressions give, and where do they stop?
import { describe, expect, test } from "vitest";
import { answer } from "../../test/cel/custom-program.ts";
import { type Compilation, compile } from "./compile.ts";
import { celFunction } from "./declare/cel-function.ts";
import { dependenciesOf } from "./dependencies.ts";
import { environment } from "./environment.ts";
import { everyLibrary } from "./library/every-library.ts";
import { bindingsLibrary } from "./library/extension/bindings.ts";
import { optionalsLibrary } from "./library/extension/optionals.ts";
import { twoVariablesLibrary } from "./library/extension/two-variables.ts";
import { standardLibrary } from "./library/standard/standard.ts";
import { LimitError, type TraceRecord } from "./plan/frame.ts";
import type { Program } from "./program.ts";
import { DYN, mapOf, STRING } from "./type.ts";
import { describeValue } from "./value/describe.ts";
import { CelError, type Result } from "./value/value.ts";

const libraries = [standardLibrary, optionalsLibrary, bindingsLibrary, twoVariablesLibrary];
const variables = { o: mapOf(STRING, DYN), d: DYN, constructor: DYN, __proto__: DYN };
const env = environment({
  data: "json",
  libraries,
  variables: Object.fromEntries([...Object.entries(variables), ["__proto__", DYN]]),
});

function program(text: string, on = env): Program {
  const compilation: Compilation = compile(text, on);
  if (compilation.program === undefined) throw new Error(compilation.errors.map(({ message }) => message).join(", "));
  return compilation.program;
}

function resultText(result: Result): string {
  return result instanceof CelError ? `! ${result.message}` : describeValue(result);
}

const run = (text: string, data: Record<string, unknown> = {}): string => resultText(program(text).evaluate(data));

describe("integers", () => {
  test.for([
    ["9223372036854775807 + 1", "! integer overflow"],
    ["-9223372036854775808 - 1", "! integer overflow"],
    ["9007199254740991 + 1", "9007199254740992"],
    ["9007199254740992 + 1", "9007199254740993"],
    ["9223372036854775807 * 1", "9223372036854775807"],
    ["4294967296 * 4294967296", "! integer overflow"],
    ["-9223372036854775808 / -1", "! integer overflow"],
    ["-(-9223372036854775808)", "! integer overflow"],
    ["-7 / 2", "-3"],
    ["-7 % 2", "-1"],
    ["1 / 0", "! division by zero"],
    ["1 % 0", "! modulus by zero"],
    ["1.0 / 0.0", "+Inf"],
    ["0u - 1u", "! unsigned integer overflow"],
    ["18446744073709551615u + 1u", "! unsigned integer overflow"],
    ["dyn(1) == 1u && dyn(1) == 1.0 && dyn(9007199254740993) == 9007199254740992.0", "true"],
    ["1.0 + 1.0", "2.0"],
    ["type(dyn(2.0)) == double && type(2.0 * 3.0) == double", "true"],
  ])("%s", ([text, expected]) => {
    expect(run(text as string)).toBe(expected);
  });

  test("a bigint of the input is an int, or a double beyond 64 bits", () => {
    expect(run("o.a + 1", { o: { a: 9007199254740993n } })).toBe("9007199254740994");
    expect(run("type(o.a) == double", { o: { a: 2n ** 70n } })).toBe("true");
  });
});

describe("strings count code points", () => {
  test.for([
    ["size('é😀')", "2"],
    ["'\\U0001F600' < '\\uFFFF'", "false"],
    ["'😀' < '😁'", "true"],
  ])("%s", ([text, expected]) => {
    expect(run(text as string)).toBe(expected);
  });
});

describe("how numbers of the input read", () => {
  const data = { d: { n: 5, list: [1, 2.5, [3]], deep: { n: 7 } } };
  const doubles = environment({ libraries, variables: { d: DYN }, data: "json", numbers: "double" });

  test.for([
    ["type(d.n) == int", true],
    ["d.n / 2 == 2", true],
    ["d.list[0] + 1 == 2", true],
    ["d.list.exists(x, x == 2.5)", true],
  ])("as ints: %s", ([text, expected]) => {
    expect(program(text as string).evaluate(data)).toBe(expected);
  });

  test.for([
    ["type(d.n) == double && type(d['n']) == double", true],
    ["d.n / 2.0 == 2.5", true],
    ["d.n == 5 && d.n > 4", true],
    ["type(d.list[0]) == double && type(d.list[2][0]) == double", true],
    ["d.list.map(x, type(x)) == [double, double, list]", true],
    ["d.all(k, v, k == 'list' || k == 'deep' || type(v) == double)", true],
    ["type(d.deep.n) == double && type(d.?deep.?n.value()) == double", true],
    ["type([1][0]) == int && type(dyn([[1]])[0][0]) == int && type({'a': 1}.a) == int", true],
  ])("as doubles: %s", ([text, expected]) => {
    expect(resultText(program(text as string, doubles).evaluate(data))).toBe(String(expected));
  });
});

describe("errors", () => {
  test.for([
    ["d.nope == 1 || true", "true"],
    ["true || d.nope == 1", "true"],
    ["d.nope == 1 && false", "false"],
    ["d.nope == 1 || false", "! no such key: nope"],
    ["[1, 0].exists(x, 1 / x == 1)", "true"],
    ["[0, 1].exists(x, 1 / x == 1)", "true"],
    ["[0, 1].all(x, 1 / x == 2)", "false"],
    ["[0, 1].all(x, 1 / x == 1)", "! division by zero"],
    ["[0, 1].exists_one(x, 1 / x == 1)", "! division by zero"],
    ["cel.bind(x, 1 / 0, true)", "true"],
    ["cel.bind(x, 1 / 0, x == 1)", "! division by zero"],
    ["d.a.b", '! no such key: b (the value is "text")'],
    ["d.list['a']", '! a list is indexed by an int, not by "a"'],
    ["d.list[7]", "! index out of bounds: 7 (the list has 2 elements)"],
    ["d.a && true", '! a side of && is "text", not a bool'],
    ["d.a ? 1 : 2", '! the condition is "text", not a bool'],
    ["d.a.all(x, true)", '! cannot go through "text": it is no list and no map'],
    ["d.a + 1", "! no such overload: +(string, int)"],
    ["d.a.size() + d.list", "! no such overload: +(int, list(dyn))"],
    ["{d.a: 1, 'text': 2}", '! the map has the key "text" twice'],
  ])("%s", ([text, expected]) => {
    expect(run(text as string, { d: { a: "text", list: [1, 2] } })).toBe(expected);
  });

  test("have their place in the text", () => {
    const result = program("true && d.a.nope == 1").evaluate({ d: { a: {} } }) as CelError;
    expect(result.range).toEqual({ start: 8, end: 16 });
  });
});

describe("bindings keep out of each other's way", () => {
  const data = { d: [1, 2, 3] };
  test.for([
    ["cel.bind(v, d.map(x, d.map(z, z).size()), d.map(y, size(v) + y))", "[4, 5, 6]"],
    ["cel.bind(v, [5].transformList(i, x, x)[0], cel.bind(u, 7, u + v + u))", "19"],
    ["cel.bind(q, d.map(p, p).size(), optional.of(q).optMap(w, w + q))", "optional.of(6)"],
  ])("%s", ([text, expected]) => {
    expect(run(text as string, data)).toBe(expected);
  });

  test("a target of optMap that is a binding is paid for once", () => {
    const text = "cel.bind(q, [d].map(p, 2).size(), optional.of(q).optMap(w, w))";
    const bound = program(text);
    bound.evaluate({ d: 1 });
    // cel-go v0.29.2
    expect(bound.cost).toBe(63);
  });
});

describe("static types are not trusted at run time", () => {
  test.for([
    ["d[?'s'].orValue(1) + 1", "! no such overload: +(string, int)"],
    ["d.?s.orValue('').startsWith('a')", "false"],
    ["d.?i.orValue('').startsWith('a')", "! no such overload: startsWith(int, string)"],
    ["string(d.?m.orValue(1))", "! no such overload: string(map(dyn, dyn))"],
    ["d.?s.orValue(1) > 3", "! no such overload: >(string, int)"],
    ["duration(d.?i.orValue('1s')) == duration('1s')", "! no such overload: duration(int)"],
  ])("%s", ([text, expected]) => {
    expect(run(text as string, { d: { s: "5", i: 5, m: {} } })).toBe(expected);
  });
});

describe("behind an optional that leads into the input, what has no fields is absent", () => {
  test.for([
    ["d.?n.y.orValue('none')", '"none"'],
    ["d.?i.y.z.orValue('none')", '"none"'],
    ["d[?'s'][0].orValue('none')", '"none"'],
    ["{'n': dyn(null)}.?n.y.orValue('none')", "! no such key: y (the value is null)"],
  ])("%s", ([text, expected]) => {
    expect(run(text as string, { d: { n: null, i: 1, s: "text" } })).toBe(expected);
  });
});

describe("prototype keys are ordinary absent keys", () => {
  const keys = ["constructor", "__proto__", "toString", "hasOwnProperty", "__defineGetter__", "valueOf"];

  test.for(keys)("%s", (key) => {
    expect(run(`d.${key}`, { d: {} })).toBe(`! no such key: ${key}`);
    expect(run(`d["${key}"]`, { d: {} })).toBe(`! no such key: ${key}`);
    expect(run(`d.a.b.${key}`, { d: { a: { b: {} } } })).toBe(`! no such key: ${key}`);
    expect(run(`has(d.${key}) || "${key}" in d || d.?${key}.hasValue()`, { d: {} })).toBe("false");
    expect(run(`[d].exists(x, x.${key} == 1 || has(x.${key}))`, { d: {} })).toBe(`! no such key: ${key}`);
    expect(run(`{"a": 1}.${key}`)).toBe(`! no such key: ${key}`);
    const own = JSON.parse(`{"${key}": "mine"}`) as unknown;
    expect(run(`d.${key}`, { d: own })).toBe('"mine"');
    expect(run(`d["${key}"] + d.${key}`, { d: own })).toBe('"minemine"');
  });

  test("also as the name of a variable", () => {
    expect(run("constructor")).toBe("! the variable constructor has no value");
    expect(run("__proto__")).toBe("! the variable __proto__ has no value");
    expect(run("constructor", { constructor: 1 })).toBe("1");
  });
});

describe("bounds", () => {
  const hundred = `[${Array.from({ length: 100 }, () => "1").join(",")}]`;
  const doubling = (first: string, last: string): string =>
    `cel.bind(x0, ${first}, ${Array.from({ length: 40 }, (_, at) => `cel.bind(x${at + 1}, x${at} + x${at}, `).join("")}${last}${")".repeat(41)}`;

  test.for([
    ["nested loops", `cel.bind(l, ${hundred}, l.all(a, l.all(b, l.all(c, l.all(d, true)))))`, "cost"],
    ["doubling a string", doubling("'aaaaaaaaaa'", "x40.size()"), "cost"],
    ["doubling a list", doubling("[1]", "x40.size()"), "work"],
    [
      "comparing values that share their parts",
      `cel.bind(a0, [1], ${Array.from({ length: 26 }, (_, at) => `cel.bind(a${at + 1}, [a${at}, a${at}], `).join("")}cel.bind(b0, [1], ${Array.from({ length: 26 }, (_, at) => `cel.bind(b${at + 1}, [b${at}, b${at}], `).join("")}a26 == b26${")".repeat(54)}`,
      "work",
    ],
    ["many copies", `cel.bind(l, ${hundred}, l.map(a, l.map(b, l.map(c, l.map(d, 'x')))).size())`, "cost"],
  ])("%s is stopped", ([, text, limit]) => {
    const result = program(text as string).evaluate({});
    expect(result).toBeInstanceOf(LimitError);
    expect((result as LimitError).limit).toBe(limit);
  });

  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index]));
  const rounds = Array.from({ length: 5_000 }, (_, index) => index);
  const variables = { l: DYN, m: DYN, n: DYN, d: DYN, s: DYN };
  const everything = environment({ libraries: everyLibrary, variables, data: "json" });
  const data = { l: rounds, m: many, n: { ...many }, d: Object.values(many), s: "a".repeat(50_000) };

  test.for([
    "l.all(x, m.exists(k, true))",
    "l.all(x, m.exists(k, v, true))",
    "l.all(x, [m] == [m])",
    "l.all(x, m == n)",
    "l.all(x, d.filter(y, false) == [])",
    "l.all(x, d.exists_one(y, false) || true)",
    "l.all(x, json.encode(m) != '')",
    "l.all(x, '%s'.format([m]) != '')",
    "l.all(x, l.transformMapEntry(k, v, m) == {} || true)",
    "l.all(x, s.matches('(a|b)*a(a|b){500}') || true)",
    "l.all(x, s.matches(''))",
    "l.all(x, 'a'.matches(r'(?i)[^\\pL]' + string(x)) || true)",
    "l.all(x, 'a'.matches(r'(?i)[\\x{100}-\\x{10ffff}]' + string(x)) || true)",
    "l.all(x, 'a'.find(r'\\pL{40}(' + string(x)) == '' || true)",
    "l.all(x, d.sort().size() > 0)",
    "l.all(x, d.max() > 0)",
    "l.all(x, d.exists(i, v, true))",
    "l.all(x, s.find('(a|b)*c$') == '')",
    "l.all(x, s.matches('(\\\\pL{0,20}){0,10}' + string(x)) || true)",
    "l.all(x, base64.encode(bytes(s)) != '')",
  ])("%s is stopped although its cost is small", (text) => {
    expect(program(text, everything).evaluate(data)).toBeInstanceOf(LimitError);
  });

  test.for([
    "l.all(x, size(m) > 0)",
    "l.all(x, m.size() != x)",
    "l.all(x, m != {})",
    "l.all(x, {} != m)",
    "l.all(x, m != 1)",
    "l.all(x, m != 'key')",
    "l.all(x, optional.of(m) != optional.of({}))",
    "l.all(x, optional.ofNonZeroValue(m).hasValue())",
    "l.all(x, 'key7' in m)",
    "l.all(x, (m ? 1 : 2) == 1 || true)",
    "l.all(x, m[m] == 1 || true)",
    "l.all(x, m[?[m]] == optional.none() || true)",
    "l.all(x, [m].join() == '' || true)",
    "l.all(x, !(m || m) || true)",
    "l.all(x, s != 'aaaaaaaaaaaaaaaaaaab')",
    "l.all(x, optional.of(s) != optional.of('aaaaaaaaaaaaaaaaaaab'))",
    "l.all(x, s.contains(''))",
    "l.all(x, s.startsWith('aaa'))",
    "l.all(x, d.size() > x)",
    "l.all(x, size(dyn(d)) > x)",
    "l.all(x, d.first() != d.last())",
    "l.all(x, type(d) == list)",
    "l.all(x, string(x).matches('^[0-9' + '-]+$'))",
  ])("%s is answered, and large values are not gone through in every round", (text) => {
    const evaluated = program(text, everything);
    expect(evaluated.evaluate(data)).toBe(true);
    expect(evaluated.work).toBeLessThan(2_000_000);
  });

  test("a limit is not absorbed", () => {
    expect(program(`${hundred}.all(x, true) || true`).limit({ cost: 50 }).evaluate({})).toBeInstanceOf(LimitError);
  });

  test("(a+)+$ takes linear time", () => {
    expect(run(`d.matches('(a+)+$')`, { d: `${"a".repeat(5_000)}b` })).toBe("false");
  });

  test("a text of a megabyte is not even read", () => {
    expect(compile("1".repeat(1 << 20), env).errors[0]?.message).toBe(
      "the expression has 1048576 characters; at most 100000 are read",
    );
  });

  test("values that nest deeper than the stack are an error, not a crash", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200_000; level++) deep = [deep];
    let other: unknown = 1;
    for (let level = 0; level < 200_000; level++) other = [other];
    const result = program("d == o.d").evaluate({ d: deep, o: { d: other } });
    expect(result).toBeInstanceOf(LimitError);
  });

  test("long chains of operators run", () => {
    expect(run(`1${" + 1".repeat(20_000)}`)).toBe("20001");
    expect(run(`false${" || false".repeat(9_000)}`)).toBe("false");
  });
});

describe("trace", () => {
  function tree(text: string, { node, result, parts, bound }: TraceRecord): unknown[] {
    const names = (bound ?? []).map(({ name, value }) => `${name}=${resultText(value)} `).join("");
    return [
      `${names}${text.slice(node.start, node.end)} = ${resultText(result)}`,
      ...parts.map((part) => tree(text, part)),
    ];
  }

  test("has every part that was evaluated, with its value", () => {
    const text = "d.env == 'prod' || d.list.exists(x, x > 1)";
    const { result, trace } = program(text).trace({ d: { list: [1, 2, 3] } });
    expect(result).toBe(true);
    expect(tree(text, trace)).toEqual([
      `${text} = true`,
      ["d.env == 'prod' = ! no such key: env", ["d.env = ! no such key: env", ['d = {"list": [1, 2, 3]}']]],
      [
        "d.list.exists(x, x > 1) = true",
        ["d.list = [1, 2, 3]", ['d = {"list": [1, 2, 3]}']],
        ["x=1 x > 1 = false", ["x = 1"]],
        ["x=2 x > 1 = true", ["x = 2"]],
      ],
    ]);
  });
});

describe("dependencies", () => {
  test.for([
    [
      "o.status.version.kubernetes == '1' && o['metadata'].name != ''",
      ["o.metadata.name", "o.status.version.kubernetes"],
    ],
    ["o.metadata == d", ["d", "o.metadata"]],
    ["o.labels[d.key] == 'x'", ["d.key", "o.labels"]],
    ["o.claims.exists(c, c.name == 'x')", ["o.claims"]],
    ["has(o.a.b) || o.?c.?d.hasValue()", ["o.a.b", "o.c.d"]],
    ["o.a == 1 || o.a.b == 1", ["o.a"]],
    ["o.list[0].x == 1", ["o.list"]],
    ["(d ? o.a : o.b).c == 1", ["d", "o.a", "o.b"]],
    ["cel.bind(x, o.a, x.b == 1)", ["o.a"]],
    ["1 == 1", []],
  ])("%s", ([text, paths]) => {
    const { paths: found } = dependenciesOf(program(text as string).checked);
    expect(found.map(({ variable, path }) => [variable, ...path].join("."))).toEqual(paths);
  });

  test("literals of different types are different arguments", () => {
    const { calls } = dependenciesOf(
      program("o.a.contains('1') && dyn(o.b).size() == 1 && string(1) == string('1')").checked,
    );
    expect(calls.filter(({ name }) => name === "string").map(({ arguments: args }) => args[0])).toEqual(["1", 1]);
  });

  test("calls with their literal arguments", () => {
    const { calls } = dependenciesOf(program("o.a.startsWith('x') && d.b.startsWith(o.c)").checked);
    expect(calls).toEqual([
      { name: "startsWith", arguments: [undefined, undefined] },
      { name: "startsWith", arguments: [undefined, "x"] },
    ]);
  });
});

test("a function whose name begins with an underscore is called by it in messages", () => {
  const functions = [celFunction("_check(int): int", (n: number) => n)];
  expect(compile("_check('a')", { functions }).errors[0]?.message).toBe("no such form of `_check`: _check(string)");
  expect(compile("_check(dyn('a'))", { functions }).program?.evaluate()).toMatchObject({
    message: "no such overload: _check(string)",
  });
});

test("what it throws cannot make the evaluation throw", () => {
  const thrown: object = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw thrown;
      },
    },
  );
  const f = celFunction("f(): bool", () => {
    throw thrown;
  });
  expect(answer("f() || true", {}, f)).toBe(true);
});
