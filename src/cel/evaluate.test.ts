// Does one call take a text to its value, or to an exception that says what is wrong?
import { describe, expect, test } from "vitest";
import { compile } from "./compile.ts";
import { CompileError } from "./compile-error.ts";
import { celFunction } from "./declare/cel-function.ts";
import { environment } from "./environment.ts";
import { evaluate } from "./evaluate.ts";
import { standardLibrary } from "./library/standard/standard.ts";
import { LimitError } from "./plan/frame.ts";
import { EvaluationError } from "./value/evaluation-error.ts";
import { CelError } from "./value/value.ts";

/** What is thrown. */
function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe("evaluate", () => {
  test("knows the variables of the data", () => {
    expect(evaluate("1 + 2")).toBe(3);
    expect(evaluate("node.cpus * 2 > 20 && tags.exists(t, t == 'gold')", { node: { cpus: 16 }, tags: ["gold"] })).toBe(
      true,
    );
    expect(evaluate("constructor", { constructor: 5 })).toBe(5);
  });

  test("takes an environment or its options", () => {
    const twice = celFunction("twice(int): int", (n: number) => 2 * n);
    expect(evaluate("twice(n)", { n: 4 }, { functions: [twice] })).toBe(8);
    expect(evaluate("n", { n: 4 }, environment({ variables: { n: "int" } }))).toBe(4);
    expect(() => evaluate("m", { m: 4 }, { variables: { n: "int" } })).toThrow("no such variable `m`");
    expect(() => evaluate("math.abs(-1)", {}, { libraries: [standardLibrary] })).toThrow(CompileError);
  });

  test("throws all mistakes of the expression, with their places", () => {
    const thrown = thrownBy(() => evaluate("a +\n  nme.size() + 'x'.foo()", { name: "x" })) as CompileError;
    expect(thrown).toBeInstanceOf(CompileError);
    expect(thrown).toBeInstanceOf(Error);
    expect(thrown.name).toBe("CompileError");
    expect(thrown.errors).toHaveLength(3);
    expect(thrown.message).toBe(
      [
        "1:1: no such variable `a` (the variables here are `name`)",
        "  a +",
        "  ^",
        "2:3: no such variable `nme` (did you mean `name`?)",
        "    nme.size() + 'x'.foo()",
        "    ^^^",
        "2:20: no such function `foo`",
        "    nme.size() + 'x'.foo()",
        "                     ^^^",
      ].join("\n"),
    );
  });

  test("throws the error of the evaluation", () => {
    const thrown = thrownBy(() => evaluate("[1].map(x,\n x / (x - 1))")) as EvaluationError;
    expect(thrown).toBeInstanceOf(EvaluationError);
    expect(thrown).toMatchObject({ name: "EvaluationError", message: "division by zero", line: 2, column: 2 });
    expect(thrown.range).toEqual({ start: 12, end: 23 });
    expect(thrown.error).toBeInstanceOf(CelError);
    const limited = thrownBy(() => evaluate("lists.range(1000000).map(x, x)")) as EvaluationError;
    expect(limited.error).toBeInstanceOf(LimitError);
  });
});

describe("compile", () => {
  test("without an environment has the standard library and the extensions", () => {
    expect(compile("math.abs(-1) + size('a'.upperAscii())").program?.run()).toBe(2);
    expect(compile("quantity('1')").errors).toHaveLength(1);
  });

  test("takes types as texts", () => {
    expect(compile("x", { variables: { x: "list(int)" } }).type).toEqual({ kind: "list", element: { kind: "int" } });
    expect(compile("1", {}, { result: { type: "bool" } }).errors[0]?.message).toBe(
      "the expression must give bool and gives int",
    );
    expect(() => compile("x", { variables: { x: "lst(int)" } })).toThrow(TypeError);
  });

  test("a program knows its cost, what it reads, and what it can cost", () => {
    const { program } = compile("node.labels.env == 'prod'", { variables: { node: "dyn" } });
    expect(program?.run({ node: { labels: { env: "prod" } } })).toBe(true);
    expect(program?.cost).toBe(4);
    expect(program?.estimate()).toEqual({ min: 3, max: 4 });
    expect(program?.dependencies.paths).toEqual([{ variable: "node", path: ["labels", "env"] }]);
    expect(program?.run({ node: { labels: { env: "test" } } }, { ints: "bigint" })).toBe(false);
  });
});

test.each([
  [{ data: "xml" }, "the option data is any or json, not xml"],
  [{ numbers: "float" }, "the option numbers is int or double, not float"],
  [{ costs: "free" }, "the option costs is cel or kubernetes or api-server, not free"],
  [{ container: 5 }, "the option container must be text"],
  [{ variables: new Map([["a", "int"]]) }, "the option variables is an object, { name: type }, not a Map"],
])("an option with a wrong value is refused: %o", (options, message) => {
  expect(() => environment(options as never)).toThrow(message);
});
