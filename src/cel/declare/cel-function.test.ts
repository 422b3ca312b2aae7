// What does a function of a program get, and what becomes of what it returns, throws, or does otherwise?
import { describe, expect, test } from "vitest";
import { answer, programOf } from "../../../test/cel/custom-program.ts";
import { compile } from "../compile.ts";
import { environment } from "../environment.ts";
import { everyLibrary } from "../library/every-library.ts";
import { globalFunction } from "../library.ts";
import { LimitError } from "../plan/frame.ts";
import { INT } from "../type.ts";
import { Bytes, CelMap, Optional, TypeValue } from "../value/boxes.ts";
import { Duration } from "../value/duration.ts";
import { Double, Uint } from "../value/number.ts";
import { Timestamp } from "../value/timestamp.ts";
import { CelError } from "../value/value.ts";
import { type CelFunction, celFunction, type Implementation } from "./cel-function.ts";

/** What a function with one parameter of this type gets for the value of an expression. */
function given(type: string, expression: string, options = {}): unknown {
  let got: unknown = "nothing";
  const take = celFunction(
    `take(${type}): bool`,
    (value) => {
      got = value;
      return true;
    },
    options,
  );
  const result = programOf(`take(${expression})`, {}, take).evaluate({});
  return result instanceof CelError ? `error: ${result.message}` : got;
}

describe("what a function gets", () => {
  test.for([
    ["int", "42", 42],
    ["int", "9007199254740991", Number.MAX_SAFE_INTEGER],
    ["uint", "7u", 7],
    ["double", "3.0", 3],
    ["double", "1.5", 1.5],
    ["string", "'a'", "a"],
    ["bool", "true", true],
    ["null", "null", null],
    ["bytes", "b'ab'", Uint8Array.of(97, 98)],
    ["timestamp", "timestamp('2026-03-01T12:00:00.250+01:00')", new Date("2026-03-01T11:00:00.250Z")],
    ["duration", "duration('1500ms')", new Duration(1_500_000_000n)],
    ["list(int)", "[1, 2]", [1, 2]],
    ["list(list(double))", "[[1.0], []]", [[1], []]],
    ["map(string, int)", "{'a': 1, '__proto__': 2}", JSON.parse('{"a": 1, "__proto__": 2}')],
    ["map(string, int)", "{}", {}],
    ["map(int, string)", "{1: 'a'}", new Map([[1, "a"]])],
    ["map(int, string)", "{}", new Map()],
    ["map(bool, int)", "{true: 1}", new Map([[true, 1]])],
    ["map(dyn, dyn)", "{'a': 1}", { a: 1 }],
    [
      "map(dyn, dyn)",
      "{'a': 1, 2: 3u}",
      new Map<unknown, unknown>([
        ["a", 1],
        [2, 3],
      ]),
    ],
    ["optional_type(int)", "optional.of(1)", 1],
    ["optional_type(int)", "optional.none()", undefined],
    ["type", "int", new TypeValue("int")],
    ["dyn", "{'a': [1u, 2.0, null, optional.none()]}", { a: [1, 2, null, undefined] }],
    ["T", "[1, b'a']", [1, Uint8Array.of(97)]],
    ["wrapper(int)", "null", null],
    ["wrapper(int)", "5", 5],
  ] as [string, string, unknown][])("%s: %s", ([type, expression, value]) => {
    expect(given(type, expression)).toEqual(value);
  });

  test("an int that a number cannot hold is an error, unless bigints are declared", () => {
    const message = (value: string): string =>
      `error: take() cannot take the int ${value}, which a number cannot hold exactly: declare it with { ints: "bigint" }`;
    expect(given("int", "9007199254740993")).toBe(message("9007199254740993"));
    expect(given("uint", "18446744073709551615u")).toBe(message("18446744073709551615"));
    expect(given("list(dyn)", "[9007199254740993]")).toBe(message("9007199254740993"));
    expect(given("int", "9007199254740993", { ints: "bigint" })).toBe(9007199254740993n);
    expect(given("map(string, int)", "{'a': 1}", { ints: "bigint" })).toEqual({ a: 1n });
    expect(given("uint", "1u", { ints: "bigint" })).toBe(1n);
  });

  test("a timestamp that a Date cannot hold is an error, unless Timestamps are declared", () => {
    const fine = "timestamp('2026-03-01T12:00:00.000001Z')";
    expect(given("timestamp", fine)).toBe(
      'error: take() cannot take the timestamp 2026-03-01T12:00:00.000001Z, which a Date cannot hold exactly: declare it with { timestamps: "timestamp" }',
    );
    expect(given("timestamp", fine, { timestamps: "timestamp" })).toBeInstanceOf(Timestamp);
    expect(given("timestamp", "timestamp(0)", { timestamps: "timestamp" })).toBeInstanceOf(Timestamp);
  });

  test("what is in a list or map has the declared type, or it is an error", () => {
    expect(given("list(int)", "dyn([1, 'a'])")).toBe('error: take() cannot take "a": its signature says int');
    expect(given("map(string, int)", "dyn({1: 1})")).toBe("error: take() cannot take 1: its signature says string");
    expect(given("list(double)", "dyn([1])")).toBe("error: take() cannot take 1: its signature says double");
  });

  test("to change it changes no data", () => {
    const spoil = celFunction("spoil(list(int)): int", (list: number[]) => {
      list.sort().length = 0;
      return 0;
    });
    const l = [3, 1, 2];
    expect(answer("spoil(l) + l.size()", { l }, spoil)).toBe(3);
    expect(l).toEqual([3, 1, 2]);
  });

  test("a type parameter keeps the kind of its numbers", () => {
    const second = celFunction("list(T).second(): optional_type(T)", (list: unknown[]) => list[1]);
    expect(answer("[1.0, 2.0].second().value() / 2.0", {}, second)).toEqual(new Double(1));
    expect(answer("[1u, 2u].second().value() == 2u && type([1u, 2u].second().value()) == uint", {}, second)).toBe(true);
    expect(answer("type([{'a': 1.0}, {'a': 2.0}].second().value().a) == double", {}, second)).toBe(true);
    expect(answer("[1].second().hasValue()", {}, second)).toBe(false);
    const lost = celFunction("lost(T): T", () => undefined);
    for (const value of ["1", "1u", "1.0", "'a'"])
      expect(answer(`lost(${value})`, {}, lost)).toBe(
        "error: lost() returned undefined, not a value of CEL; its signature is lost(T): T",
      );
  });
});

/** The value of f(), which returns this. */
function returned(type: string, value: unknown): unknown {
  return answer(
    "f()",
    {},
    celFunction(`f(): ${type}`, () => value),
  );
}

describe("what a function returns", () => {
  test.for([
    ["int", 3, 3],
    ["int", 3n, 3],
    ["int", 2 ** 60, 2n ** 60n],
    ["int", -(2n ** 63n), -(2n ** 63n)],
    ["uint", 3, new Uint(3n)],
    ["uint", 2n ** 64n - 1n, new Uint(2n ** 64n - 1n)],
    ["double", 0.5, 0.5],
    ["double", Number.NaN, Number.NaN],
    ["string", "a", "a"],
    ["bytes", Uint8Array.of(1), new Bytes(Uint8Array.of(1))],
    ["bytes", Buffer.from("a"), new Bytes(Uint8Array.of(97))],
    ["timestamp", new Date(1500), new Timestamp(1, 500_000_000)],
    ["timestamp", new Timestamp(1, 1), new Timestamp(1, 1)],
    ["duration", new Duration(1n), new Duration(1n)],
    ["optional_type(int)", 1, new Optional(1)],
    ["optional_type(int)", undefined, Optional.none],
    ["optional_type(int)", new Optional(1), new Optional(1)],
    ["wrapper(int)", null, null],
    ["list(int)", [1, 2n], [1, 2]],
    ["map(string, int)", { a: 1, b: undefined }, { a: 1, b: undefined }],
    ["map(int, string)", new Map([[1, "a"]]), new CelMap(new Map([[1, [1, "a"] as const]]))],
    ["dyn", [1, "a", null], [1, "a", null]],
    ["dyn", new Date(0), new Timestamp(0, 0)],
    ["dyn", { a: [new Date(0)] }, { a: [new Timestamp(0, 0)] }],
  ] as [string, unknown, unknown][])("%s: %s", ([type, value, expected]) => {
    expect(returned(type, value)).toEqual(expected);
  });

  test("a number is read as the declared type says", () => {
    const f = celFunction("f(): double", () => 3);
    expect(answer("type(f()) == double && f() / 2.0 == 1.5", {}, f)).toBe(true);
    const g = celFunction("f(): list(double)", () => [3]);
    expect(answer("f()[0] / 2.0 == 1.5", {}, g)).toBe(true);
  });

  test.for([
    ["int", 1.5, "1.5, not int"],
    ["int", Number.NaN, "NaN, not int"],
    ["int", "1", '"1", not int'],
    ["int", undefined, "undefined, not int"],
    ["int", 2n ** 63n, "the bigint 9223372036854775808, not int"],
    ["int", 2 ** 64, "18446744073709552000, not int"],
    ["int", Symbol("x"), "a symbol, not int"],
    ["int", () => 1, "a function, not int"],
    ["int", new Error("no"), "an Error: no, not int"],
    ["int", null, "null, not int"],
    ["uint", -1, "-1, not uint"],
    ["double", 3n, "the bigint 3, not double"],
    ["bool", 1, "1, not bool"],
    ["string", ["a"], "an array, not string"],
    ["string", {}, "an object, not string"],
    ["list(int)", new Set([1]), "a Set, not list(int); give an array"],
    ["list(int)", [1, "a"], '"a", not int'],
    ["list(int)", [1, undefined], "undefined, not int"],
    ["map(string, int)", [], "an array, not map(string, int)"],
    ["map(int, int)", { a: 1 }, "an object, not map(int, int)"],
    [
      "map(string, int)",
      new Map([[1, 1]]),
      "a Map, not map(string, int); its keys have to be strings, booleans or whole numbers, each once",
    ],
    ["timestamp", "2026-01-01T00:00:00Z", '"2026-01-01T00:00:00Z", not timestamp'],
    ["timestamp", new Date(Number.NaN), "a Date, not timestamp; it has to be valid and in the years 1 to 9999"],
    ["duration", 5, "5, not duration"],
    ["optional_type(int)", "a", '"a", not int'],
    ["optional_type(string)", null, "null, not string"],
    ["dyn", undefined, "undefined, not a value of CEL"],
    ["dyn", { a: [undefined] }, "undefined, not a value of CEL"],
    ["dyn", 2n ** 70n, "the bigint 1180591620717411303424, not a value of CEL"],
    ["dyn", new Optional({ a: new Set() as never }), "a Set, not a value of CEL; give an array"],
  ] as [string, unknown, string][])("%s is no %s", ([type, value, what]) => {
    expect(returned(type, value)).toBe(`error: f() returned ${what}; its signature is f(): ${type}`);
  });

  test.for([
    [
      () => Promise.resolve(1),
      "f() returned a promise, not int; await it before: functions are called synchronously; its signature is f(): int",
    ],
    [
      () => {
        throw new Error("out of order");
      },
      "f() failed: out of order",
    ],
    [
      () => {
        throw "a string";
      },
      "f() failed: a string",
    ],
    [
      () => {
        throw Object.create(null);
      },
      "f() failed: something was thrown that cannot be written",
    ],
    [
      () => {
        throw new CelError("no");
      },
      "f() failed: no",
    ],
    [() => new CelError("no"), "no"],
  ] as [Implementation, string][])(
    "%s is an error of the evaluation, which || absorbs",
    ([implementation, message]) => {
      const f = celFunction("f(): int", implementation);
      expect(answer("f()", {}, f)).toBe(`error: ${message}`);
      expect(answer("f() == x || true", { x: 1 }, f)).toBe(true);
    },
  );

  test("something that cannot be read, or that contains itself, is an error", () => {
    const getter = {
      get a(): never {
        throw new Error("boom");
      },
    };
    expect(returned("dyn", getter)).toBe("error: f() returned something that cannot be read: boom");
    const endless: unknown[] = [];
    endless.push(endless);
    expect(returned("dyn", endless)).toBe("error: f() returned something that cannot be read: it contains itself");
  });

  test("a very large result meets the limit", () => {
    const large = celFunction("f(): list(int)", () => new Array(20_000_000).fill(1));
    expect(programOf("f() == [] || true", {}, large).evaluate({})).toBeInstanceOf(LimitError);
  });

  test("a promise that is refused may be rejected: that ends no process", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => {
      unhandled.push(reason);
    };
    process.on("unhandledRejection", note);
    try {
      const rejected = (): Promise<never> => Promise.reject(new Error("db down"));
      for (const [type, value] of [
        ["int", () => rejected()],
        ["dyn", () => [rejected(), { a: rejected() }, new Map([[1, rejected()]])]],
        ["list(int)", () => [1, "a", rejected()]],
      ] as [string, Implementation][]) {
        expect(answer("f() == x || true", { x: 1 }, celFunction(`f(): ${type}`, value))).toBe(true);
      }
      const costly = celFunction("f(): bool", () => true, { cost: () => rejected() as never });
      expect(answer("f()", {}, costly)).toBe("error: the cost of f() is not a number");
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});

describe("costs", () => {
  const program = (options: Parameters<typeof celFunction>[2]) =>
    programOf(
      "f('abc')",
      {},
      celFunction("f(string): int", () => 1, options),
    );

  test("a call costs 1, or what is declared", () => {
    for (const [options, cost, most] of [
      [{}, 1, 1],
      [{ cost: 20 }, 20, 20],
      [{ cost: (text: string) => 2 * text.length }, 6, Number.POSITIVE_INFINITY],
      [{ cost: () => 7, estimate: () => ({ cost: { min: 1, max: 9 } }) }, 7, 9],
      [{ cost: () => -1000 }, 0, Number.POSITIVE_INFINITY],
    ] as const) {
      const one = program(options);
      expect(one.evaluate({})).toBe(1);
      expect(one.cost).toBe(cost);
      expect(one.estimate().max).toBe(most);
    }
  });

  test("a cost that fails stops the evaluation", () => {
    const cost = (): never => {
      throw new Error("no price");
    };
    expect(program({ cost }).evaluate({})).toMatchObject({ message: "the cost of f() failed: no price" });
    expect(program({ cost: () => Number.NaN }).evaluate({})).toMatchObject({
      message: "the cost of f() is not a number",
    });
    expect(program({ cost: () => 2_000_000 }).evaluate({})).toBeInstanceOf(LimitError);
  });

  test("an estimate that fails bounds nothing", () => {
    const estimates = [
      (): never => {
        throw new Error("no estimate");
      },
      () => undefined as never,
      () => ({ cost: { min: 0, max: Number.NaN } }),
    ];
    for (const estimate of estimates) expect(program({ estimate }).estimate().max).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("declarations", () => {
  const nothing: Implementation = () => 1;
  const refusal = (...functions: readonly unknown[]): string => {
    try {
      environment({ libraries: everyLibrary, functions: functions as CelFunction[] });
      return "accepted";
    } catch (thrown) {
      return `${(thrown as Error).name}: ${(thrown as Error).message}`;
    }
  };

  test.for([
    ["f(): int", undefined, {}, "f(): int: it needs an implementation, a function"],
    ["f(): int", "f", {}, "f(): int: it needs an implementation, a function"],
    ["f(): int", async () => 1, {}, "f(): int: its implementation is async; functions are called synchronously"],
    [
      "f(int): int",
      (a: number, b: number) => a + b,
      {},
      "f(int): int: its implementation has 2 parameters, the signature 1",
    ],
    ["f(): int", nothing, { ints: "number" }, 'f(): int: ints must be "bigint"'],
    ["f(): int", nothing, { timestamps: "date" }, 'f(): int: timestamps must be "timestamp"'],
    ["f(): int", nothing, { cost: -1 }, "f(): int: cost must be a number that is not negative, or a function"],
    ["f(): int", nothing, { cost: "1" }, "f(): int: cost must be a number that is not negative, or a function"],
    ["f(): int", nothing, { estimate: 5 }, "f(): int: estimate must be a function"],
    ["f(): int", nothing, { costs: 5 }, "f(): int: there is no option costs"],
  ] as [string, never, never, string][])("%s with %s and %j is refused", ([signature, call, options, message]) => {
    expect(() => celFunction(signature, call, options)).toThrow(new TypeError(message));
  });

  test.for([
    [
      "size(string): int",
      "the function size(string): it would never be called, because size_string takes the same types",
    ],
    [
      "list(T).first(): optional_type(T)",
      "the function list(T).first(): it would never be called, because list_first takes the same types",
    ],
    ["has(int): int", "the function has(int): it would never be called, because has with so many arguments is a macro"],
    [
      "cel.bind(int, int, int): int",
      "the function cel.bind(int, int, int): it would never be called, because cel.bind with so many arguments is a macro",
    ],
    [
      "string.map(int, int): int",
      "the function string.map(int, int): it would never be called, because map with so many arguments is a macro",
    ],
    [
      "int.orValue(int): int",
      "the function int.orValue(int): it would never be called, because orValue is computed without a call",
    ],
    ["in(int): int", 'the function in(int): it can never be called, because no expression can have the name "in"'],
    ["for(int): int", 'the function for(int): it can never be called, because no expression can have the name "for"'],
    [
      "a.in(int): int",
      'the function a.in(int): it can never be called, because no expression can have the name "a.in"',
    ],
    [
      "f(Vershun): int",
      "the signature: there is no type Vershun here; declare it with celType() in types\n  f(Vershun): int\n    ^",
    ],
  ])("%s is refused", ([signature, message]) => {
    expect(refusal(celFunction(signature as string, nothing))).toBe(`TypeError: ${message}`);
  });

  test("everything that is wrong is listed", () => {
    expect(refusal(celFunction("has(int): int", nothing), celFunction("size(string): int", nothing))).toBe(
      [
        "TypeError: the function has(int): it would never be called, because has with so many arguments is a macro",
        "the function size(string): it would never be called, because size_string takes the same types",
      ].join("\n"),
    );
    expect(refusal(celFunction("f(int): int", nothing), celFunction("f(int): string", nothing))).toBe(
      "TypeError: the function f(int): it would never be called, because f(int) takes the same types",
    );
  });

  test("there is one way to declare a function", () => {
    expect(refusal({ name: "f" })).toBe("TypeError: functions[0] was not made by celFunction()");
    expect(refusal(null)).toBe("TypeError: functions[0] was not made by celFunction()");
    const copied = { ...globalFunction("f", "f", [INT], INT, () => 1) };
    expect(() => environment({ libraries: [{ name: "mine", functions: [copied] }] })).toThrow(
      "the library mine has functions that it does not come with: declare them with celFunction()",
    );
  });

  test("another form of a function that is there already is accepted", () => {
    for (const signature of [
      "size(int): int",
      "has(int, int): int",
      "int.for(): int",
      "mine.for(): int",
      "f(net.IP): int",
    ])
      expect(refusal(celFunction(signature, nothing))).toBe("accepted");
  });

  test("functions of other types are reported when the expression is checked", () => {
    const f = celFunction("f(string): bool", () => true);
    expect(compile("f(1)", { functions: [f] }).errors).toMatchObject([
      { message: "no such form of `f`: f(int)", hint: "there is `f(string): bool`" },
    ]);
  });
});

describe("a program that evaluates itself", () => {
  test("gets the right answers, with the right costs", () => {
    let inner: { result: unknown; cost: number } | undefined;
    const again = celFunction("again(int): int", (left: number) => {
      if (left === 0) return 0;
      const result = program.evaluate({ n: left - 1, l: [left] });
      inner ??= { result, cost: program.cost };
      return result;
    });
    const text = "l.map(x, x * 10)[0] + again(n) + l.map(y, y)[0]";
    const program = programOf(text, { n: "int", l: "list(int)" }, again);
    expect(program.evaluate({ n: 0, l: [7] })).toBe(77);
    const { cost } = program;
    // 33 for l = [3]; then 22 and 11 for the evaluations inside.
    expect(program.evaluate({ n: 2, l: [3] })).toBe(33 + 22 + 11);
    expect(program.cost).toBe(cost);
    expect(inner).toEqual({ result: 11, cost });
  });

  test("also in the middle of a long chain, and while it is traced", () => {
    const again = celFunction("again(int): int", (left: number) => (left === 0 ? 1 : program.run({ n: left - 1 })));
    const chain = `${"1 + ".repeat(40)}again(n)${" + 1".repeat(40)}`;
    const program = programOf(chain, { n: "int" }, again);
    expect(program.evaluate({ n: 0 })).toBe(81);
    expect(program.evaluate({ n: 1 })).toBe(161);
    const { result, trace } = program.trace({ n: 1 });
    expect(result).toBe(161);
    expect(trace.node).toBe(program.checked.root);
    expect(trace.result).toBe(161);
  });

  test("passes an error on, as the exception of run() or as the value of evaluate()", () => {
    const inner = programOf("1 / n", { n: "int" });
    const run = celFunction("f(int): int", (n: number) => inner.run({ n }));
    expect(answer("f(0)", {}, run)).toBe("error: f() failed: division by zero");
    const evaluate = celFunction("f(int): int", (n: number) => inner.evaluate({ n }));
    expect(answer("f(0)", {}, evaluate)).toBe("error: division by zero");
    // Its place is that of the call.
    expect(programOf("1 + f(0)", {}, evaluate).evaluate({})).toMatchObject({ range: { start: 4, end: 8 } });
  });

  test("without end, it is stopped", () => {
    const again = celFunction("again(int): int", (n: number) => program.evaluate({ n }));
    const program = programOf("again(n)", { n: "int" }, again);
    expect(program.evaluate({ n: 1 })).toBeInstanceOf(CelError);
    expect(programOf("1 + 1", {}).evaluate({})).toBe(2);
  });

  test("a function is called once, also if the data has to be converted", () => {
    let calls = 0;
    const count = celFunction("count(dyn): int", () => ++calls);
    const program = programOf("count(d) == 1 && m.when < d", { d: "dyn", m: "dyn" }, count);
    expect(program.evaluate({ d: new Date(5), m: new Map([["when", new Date(1)]]) })).toBe(true);
    expect(calls).toBe(1);
  });
});
