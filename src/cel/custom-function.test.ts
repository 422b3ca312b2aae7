// What happens with the functions of a program that are not as they should be?
import { describe, expect, test } from "vitest";
import { answer, programOf, withFunctions } from "../../test/cel/custom-program.ts";
import { compile } from "./compile.ts";
import { estimateCost } from "./cost/estimate.ts";
import { customFunction, customMember } from "./custom-function.ts";
import { environment } from "./environment.ts";
import { everyLibrary } from "./library/every-library.ts";
import type { Call, Overload } from "./library.ts";
import { LimitError } from "./plan/frame.ts";
import { BOOL, DOUBLE, DYN, INT, listOf, mapOf, optionalOf, STRING, TIMESTAMP, type Type, UINT } from "./type.ts";
import { Optional } from "./value/boxes.ts";
import { CelError } from "./value/value.ts";

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
    [
      () => {
        throw Object.create(null);
      },
      "f() failed: something was thrown that cannot be written",
    ],
    [() => [undefined] as never, "f() returned undefined, which is no value of CEL"],
    [() => [1, [2n ** 70n]], "f() returned an int beyond 64 bits"],
    [() => ({ a: [Promise.resolve(1)] }) as never, "f() returned a Promise, which is no value of CEL; await it before"],
    [() => new Optional({ a: new Set() as never }), "f() returned a Set, which is no value of CEL; give an array"],
    // biome-ignore lint/suspicious/noThenProperty: something that only looks like a promise
    [() => ({ then: () => 1 }) as never, "f() returned a function, which is no value of CEL"],
  ] as [Call, string][])("%s is an error of the evaluation", ([call, message]) => {
    expect(answer("f(1)", {}, fails(call))).toBe(`error: ${message}`);
    expect(answer("f(x) == 1 || true", { x: 1 }, fails(call))).toBe(true);
  });

  test("a promise that is refused may be rejected: that ends no process", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => {
      unhandled.push(reason);
    };
    process.on("unhandledRejection", note);
    try {
      const rejected = (): Promise<never> => Promise.reject(new Error("db down"));
      const one = fails(() => rejected() as never);
      expect(answer("f(1) == 1 || true", {}, one)).toBe(true);
      const some = fails(() => [rejected(), { a: rejected() }] as never);
      expect(answer("f(1) == 1 || true", {}, some)).toBe(true);
      const costly = customFunction("f", "f", [INT], BOOL, () => true, { cost: () => rejected() as never });
      expect(answer("f(1)", {}, costly)).toBe("error: the cost of f() is not a number");
      const slow = customFunction("f", "f", [INT], BOOL, () => true, {
        prepare: { argument: 0, specialise: () => rejected() as never },
      });
      expect(() => programOf("f(1)", {}, slow)).toThrow("could not be prepared");
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  test("a result that is without end or very large meets the limit", () => {
    const endless: unknown[] = [];
    endless.push(endless);
    expect(
      programOf(
        "f(1) == 1 || true",
        {},
        fails(() => endless as never),
      ).evaluate({}),
    ).toBeInstanceOf(LimitError);
  });

  test.for([
    [INT, "s", "string, not int"],
    [INT, 1.5, "double, not int"],
    [INT, 2 ** 64, undefined],
    [BOOL, 1, "int, not bool"],
    [STRING, null, "null, not string"],
    [DOUBLE, 3n, "int, not double"],
    [UINT, 3, "int, not uint"],
    [listOf(INT), { a: 1 }, "map(dyn, dyn), not list(int)"],
    [mapOf(STRING, INT), [], "list(dyn), not map(string, int)"],
    [TIMESTAMP, "2026-01-01T00:00:00Z", "string, not timestamp"],
    [optionalOf(INT), 1, "int, not optional_type(int)"],
  ] as [Type, unknown, string | undefined][])("a function of the type %j returns no %s", ([type, value, types]) => {
    const wrong = customFunction("f", "f", [], type, () => value as never);
    expect(answer("f()", {}, wrong)).toBe(
      types === undefined
        ? "error: f() returned an int beyond 64 bits"
        : `error: f() returned a value of the type ${types}`,
    );
  });

  test("which kind a number is follows from the declared type", () => {
    const of = (type: Type, value: number | bigint): Overload => customFunction("f", "f", [], type, () => value);
    expect(answer("type(f()) == double && f() / 2.0 == 1.5", {}, of(DOUBLE, 3))).toBe(true);
    expect(answer("f()", {}, of(INT, 2 ** 60))).toBe(2n ** 60n);
    expect(answer("type(f()) == int", {}, of(INT, 3n))).toBe(true);
    expect(answer("type(f()) == int", {}, of(DYN, 3))).toBe(true);
  });

  test("an estimate that fails bounds nothing", () => {
    const estimates = [
      (): never => {
        throw new Error("no estimate");
      },
      () => undefined as never,
      () => ({ cost: { min: 0, max: Number.NaN } }),
    ];
    for (const estimate of estimates) {
      const program = programOf(
        "f(1)",
        {},
        customFunction("f", "f", [INT], INT, () => 1, { estimate }),
      );
      expect(estimateCost(program.checked, program.environment).max).toBe(Number.POSITIVE_INFINITY);
    }
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

  test("a literal that a function cannot prepare is reported when the expression is checked", () => {
    const broken = customFunction("f", "f", [STRING], BOOL, () => true, {
      prepare: {
        argument: 0,
        specialise: () => {
          throw new Error("not prepared");
        },
      },
    });
    const errorOf = (overload: Overload): string | undefined =>
      compile("f('a')", environment({ libraries: [...everyLibrary, withFunctions(overload)] })).errors[0]?.message;
    expect(errorOf(broken)).toBe("f() failed: not prepared");
    expect(errorOf({ ...broken, prepare: { argument: 0, specialise: () => undefined as never } })).toBe(
      "f() could not be prepared: specialise gave neither a call nor a mistake",
    );
  });

  test("a cost that fails stops the evaluation, and a negative one is none", () => {
    const costly = customFunction("f", "f", [INT], BOOL, () => true, {
      cost: () => {
        throw new Error("no price");
      },
    });
    expect(answer("f(1) || true", {}, costly)).toBe("error: the cost of f() failed: no price");
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
    [null, `${of("null")} it must be an object`],
    [5, `${of("5")} it must be an object`],
    ...["a b", "in", "true", "for", "for.f", "a.in", "a.", "1a", "_&_", "f()"].map((name) => [
      { ...good, name },
      `${of("f_int")} it can never be called, because no expression can have the name ${JSON.stringify(name)}`,
    ]),
    [
      { ...good, name: "a.b", member: true },
      `${of("f_int")} it can never be called, because no expression can have the name "a.b"`,
    ],
    [
      { ...good, name: "has" },
      `${of("f_int")} it would never be called, because has with so many arguments is a macro`,
    ],
    [
      { ...good, name: "cel.bind", parameters: [INT, INT, INT] },
      `${of("f_int")} it would never be called, because cel.bind with so many arguments is a macro`,
    ],
    [
      { ...good, name: "map", member: true, parameters: [STRING, INT, INT] },
      `${of("f_int")} it would never be called, because map with so many arguments is a macro`,
    ],
    [
      { ...good, name: "orValue", member: true, parameters: [INT, INT] },
      `${of("f_int")} it would never be called, because orValue is computed without a call`,
    ],
    [
      { ...good, name: "_==_", parameters: [INT, STRING] },
      `${of("f_int")} it would never be called, because _==_ is computed without a call`,
    ],
    ...["cost", "resultCost", "estimate"].map((part) => [
      { ...good, [part]: 5 },
      `${of("f_int")} ${part} must be a function`,
    ]),
    ...[5, null, {}, { argument: 0 }, { argument: 1, specialise: () => good.call }].map((prepare) => [
      { ...good, prepare },
      `${of("f_int")} prepare must have the position of a parameter, argument, and a function, specialise`,
    ]),
    [{ ...good, reads: "metadata" }, `${of("f_int")} reads must be a list of names`],
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
    expect(refusal({ ...good, name: "_+_", parameters: [INT, STRING] })).toBe("accepted");
    expect(refusal({ ...good, name: "has", parameters: [INT, INT] })).toBe("accepted");
    expect(refusal({ ...good, name: "for", member: true })).toBe("accepted");
    expect(refusal({ ...good, name: "mine.for" })).toBe("accepted");
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
