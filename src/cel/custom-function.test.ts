// What happens with the functions and the data of a program that are not as they should be?
import { describe, expect, test } from "vitest";
import { compile } from "./compile.ts";
import { customFunction, customMember } from "./custom-function.ts";
import { environment } from "./environment.ts";
import { everyLibrary } from "./library/every-library.ts";
import type { Call, Library, Overload } from "./library.ts";
import { LimitError } from "./plan/frame.ts";
import type { Program } from "./program.ts";
import { BOOL, DYN, INT, listOf, STRING, type Type } from "./type.ts";
import { CelError, DataError } from "./value/value.ts";

function withFunctions(...functions: Overload[]): Library {
  return { name: "mine", functions };
}

function programOf(text: string, variables: Readonly<Record<string, Type>>, ...functions: Overload[]): Program {
  const { program, errors } = compile(
    text,
    environment({ libraries: [...everyLibrary, withFunctions(...functions)], variables }),
  );
  if (program === undefined) throw new Error(JSON.stringify(errors));
  return program;
}

function answer(text: string, data: Readonly<Record<string, unknown>>, ...functions: Overload[]): unknown {
  const variables = Object.fromEntries(Object.keys(data).map((name) => [name, DYN]));
  const result = programOf(text, variables, ...functions).evaluate(data);
  return result instanceof CelError ? `error: ${result.message}` : result;
}

class Node {
  name = "rack-7";
  labels = { tier: "gold" };
  get secret(): string {
    return "inherited";
  }
}

describe("data", () => {
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
  ] as [string, unknown, string][])("%s is refused on %s, wherever it is", ([text, value, kind]) => {
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

  test("an object without a prototype is one like any other", () => {
    expect(answer("x.a", { x: Object.assign(Object.create(null), { a: 1 }) })).toBe(1);
  });
});

describe("functions", () => {
  const fails = (call: Call): Overload => customFunction("f", "f_int", [INT], DYN, call);

  test.for([
    [() => undefined as never, "f() returned undefined, which is no value of CEL"],
    [() => Promise.resolve(1) as never, "f() returned a Promise, which is no value of CEL; await it before"],
    [
      () => new Date(0) as never,
      "f() returned a Date, which is no value of CEL; give a Timestamp: parseTimestamp(date.toISOString())",
    ],
    [() => (() => 1) as never, "f() returned a function, which is no value of CEL"],
    [() => 2n ** 70n, "f() returned an int beyond 64 bits"],
    [
      () => {
        throw new Error("out of order");
      },
      "f() failed: out of order",
    ],
    [
      () => {
        throw new RangeError("Invalid array length");
      },
      "f() failed: Invalid array length",
    ],
    [
      () => {
        throw "a string";
      },
      "f() failed: a string",
    ],
  ] as [Call, string][])("%s is an error of the evaluation", ([call, message]) => {
    expect(answer("f(1)", {}, fails(call))).toBe(`error: ${message}`);
    expect(answer("f(x) == 1 || true", { x: 1 }, fails(call))).toBe(true);
  });

  test("what is a value passes", () => {
    expect(
      answer(
        "f(1) == 5 && type(f(1)) == int",
        {},
        fails(() => 5n),
      ),
    ).toBe(true);
    expect(
      answer(
        "f(1).a + f(1).a",
        {},
        fails(() => ({ a: 2 })),
      ),
    ).toBe(4);
    expect(
      answer(
        "f(1)",
        {},
        fails(() => new CelError("no")),
      ),
    ).toBe("error: no");
    expect(
      answer(
        "'a'.twice()",
        {},
        customMember("twice", "twice", [STRING], STRING, (text) => text + text),
      ),
    ).toBe("aa");
  });

  test("a limit that is met in a function stops the evaluation", () => {
    const endless = fails((_value, running) => {
      for (;;) running.work(1000);
    });
    expect(programOf("f(1) == 1 || true", {}, endless).evaluate({})).toBeInstanceOf(LimitError);
  });

  test("a literal that a function cannot prepare is told when the expression is checked", () => {
    const broken = customFunction("f", "f", [STRING], BOOL, () => true, {
      prepare: {
        argument: 0,
        specialise: () => {
          throw new Error("not prepared");
        },
      },
    });
    const libraries = [...everyLibrary, withFunctions(broken)];
    expect(compile("f('a')", environment({ libraries })).errors[0]?.message).toBe("f() failed: not prepared");
  });

  test("a cost that fails stops the evaluation, and a negative one is none", () => {
    const dear = customFunction("f", "f", [INT], BOOL, () => true, {
      cost: () => {
        throw new Error("no price");
      },
    });
    expect(answer("f(1) || true", {}, dear)).toBe("error: the cost of f() failed: no price");
    const gift = customFunction("f", "f", [INT], BOOL, () => true, { cost: () => -1000 });
    const program = programOf("f(1) && 1 == 1", {}, gift);
    expect(program.evaluate({})).toBe(true);
    expect(program.cost).toBe(1);
  });
});

describe("declarations", () => {
  const good = customFunction("f", "f_int", [INT], INT, () => 1);
  const refusal = (...functions: readonly unknown[]): string => {
    try {
      environment({ libraries: [...everyLibrary, withFunctions(...(functions as Overload[]))] });
      return "accepted";
    } catch (thrown) {
      return `${(thrown as Error).name}: ${(thrown as Error).message}`;
    }
  };
  const of = (id: string): string => `TypeError: the overload ${id} of the library mine:`;

  test.for([
    [{ ...good, name: "" }, `${of("f_int")} it needs a name`],
    [{ ...good, id: undefined }, `${of("undefined")} it needs an id`],
    [{ ...good, member: "yes" }, `${of("f_int")} member must be true or false`],
    [{ ...good, parameters: ["int"] }, `${of("f_int")} its parameters must be a list of types`],
    [{ ...good, parameters: [{ kind: "integer" }] }, `${of("f_int")} its parameters must be a list of types`],
    [{ ...good, parameters: undefined }, `${of("f_int")} its parameters must be a list of types`],
    [{ ...good, member: true, parameters: [] }, `${of("f_int")} it is called on its first parameter and has none`],
    [{ ...good, result: null }, `${of("f_int")} its result must be a type`],
    [{ ...good, result: { kind: "list" } }, `${of("f_int")} its result must be a type`],
    [{ ...good, call: undefined }, `${of("f_int")} it needs an implementation, call`],
    [{ ...good, id: "size_string" }, `${of("size_string")} its id is that of size(string)`],
    [
      customFunction("size", "my_size", [STRING], INT, () => 1),
      `${of("my_size")} it would never be called, because size_string takes the same types`,
    ],
  ] as [unknown, string][])("%j is refused", ([overload, message]) => {
    expect(refusal(overload)).toBe(message);
  });

  test("everything that is wrong is listed", () => {
    expect(refusal({ ...good, name: 5, call: "f" }, { ...good, id: "g", result: "int" })).toBe(
      [
        `${of("f_int")} it needs a name`,
        "the overload f_int of the library mine: it needs an implementation, call",
        "the overload g of the library mine: its result must be a type",
      ].join("\n"),
    );
  });

  test("another form of a function that is there already is accepted", () => {
    expect(
      refusal(
        good,
        customFunction("size", "size_int", [INT], INT, () => 1),
      ),
    ).toBe("accepted");
    expect(refusal(good, good)).toBe("accepted");
  });
});

describe("a program that evaluates itself", () => {
  test("gets the right answers, with the right costs", () => {
    let inner: { result: unknown; cost: number } | undefined;
    const again = customFunction("again", "again", [INT], INT, (left: number) => {
      if (left === 0) return 0;
      const result = program.evaluate({ n: left - 1, l: [left] });
      inner ??= { result, cost: program.cost };
      return result as number;
    });
    const text = "l.map(x, x * 10)[0] + again(n) + l.map(y, y)[0]";
    const program = programOf(text, { n: INT, l: listOf(INT) }, again);
    expect(program.evaluate({ n: 0, l: [7] })).toBe(77);
    const { cost } = program;
    // 33 for l = [3]; then 22 and 11 for the evaluations inside.
    expect(program.evaluate({ n: 2, l: [3] })).toBe(33 + 22 + 11);
    expect(program.cost).toBe(cost);
    expect(inner).toEqual({ result: 11, cost });
  });

  test("also in the middle of a long chain, and while it is traced", () => {
    const again = customFunction("again", "again", [INT], INT, (left: number) =>
      left === 0 ? 1 : (program.evaluate({ n: left - 1 }) as number),
    );
    const chain = `${"1 + ".repeat(40)}again(n)${" + 1".repeat(40)}`;
    const program = programOf(chain, { n: INT }, again);
    expect(program.evaluate({ n: 0 })).toBe(81);
    expect(program.evaluate({ n: 1 })).toBe(161);
    const { result, trace } = program.trace({ n: 1 });
    expect(result).toBe(161);
    expect(trace.node).toBe(program.checked.root);
    expect(trace.result).toBe(161);
  });

  test("without end, it is stopped", () => {
    const again = customFunction("again", "again", [INT], INT, (n: number) => program.evaluate({ n }) as number);
    const program = programOf("again(n)", { n: INT }, again);
    expect(program.evaluate({ n: 1 })).toBeInstanceOf(CelError);
    expect(programOf("1 + 1", {}).evaluate({})).toBe(2);
  });
});
