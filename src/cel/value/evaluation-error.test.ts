// What does a program get of an evaluation that fails, and of data with a type of its own?
import { expect, test } from "vitest";
import { compile } from "../compile.ts";
import { celFunction } from "../declare/cel-function.ts";
import { CelError } from "./value.ts";

test("what a function throws is the cause of the exception", () => {
  const thrown = new RangeError("no rate for JPY");
  const convert = celFunction("convert(string): double", () => {
    throw thrown;
  });
  const { program } = compile("convert('JPY') > 1.0", { functions: [convert] });
  const failure = program?.evaluate();
  expect(failure instanceof CelError && [failure.cause, String(failure)]).toEqual([
    thrown,
    "convert() failed: no rate for JPY",
  ]);
  expect(() => program?.run()).toThrow(expect.objectContaining({ name: "EvaluationError", cause: thrown }));
});

test("data may have the type of an interface", () => {
  interface Request {
    readonly size: number;
  }
  const request: Request = { size: 3 };
  expect(compile("size + 1", { variables: { size: "int" } }).program?.run(request)).toBe(4);
});
