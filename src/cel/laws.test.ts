// What holds for every expression?
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bindings, expressions } from "../../test/cel/expressions.ts";
import { equal, type Naive, naiveValue } from "../../test/cel/naive.ts";
import { compile } from "./compile.ts";
import { estimateCost } from "./cost/estimate.ts";
import { dependenciesOf } from "./dependencies.ts";
import { environment } from "./environment.ts";
import { everyLibrary } from "./library/every-library.ts";
import { LimitError } from "./plan/frame.ts";
import type { Program } from "./program.ts";
import { DYN, INT, listOf, mapOf, STRING } from "./type.ts";
import { Optional } from "./value/boxes.ts";
import { type MapValue, mapEntries, UNCOUNTED } from "./value/map-access.ts";
import { isDouble, isInt, Uint } from "./value/number.ts";
import { Boxed, CelError, type Result, type Value } from "./value/value.ts";

/** The whole of the runs that are asked for takes minutes; `npm run test:long` makes them all. */
const RUNS = process.env.PLIMSOLL_LONG === "1" ? 100_000 : 1_000;
const SEED = 20_261_115;
const options = { numRuns: RUNS, seed: SEED } as const;

const variables = { o: mapOf(STRING, DYN), n: INT, s: STRING, l: listOf(INT), d: DYN };
const env = environment({ libraries: everyLibrary, variables, data: "json" });

function compiled(text: string): Program {
  const { program, errors } = compile(text, env);
  if (program === undefined) throw new Error(`${text}: ${errors[0]?.message}`);
  return program;
}

function toNaive(value: Value): Naive {
  if (value === null) return { type: "null" };
  if (typeof value === "boolean") return { type: "bool", is: value };
  if (typeof value === "string") return { type: "string", is: value };
  if (isInt(value)) return { type: "int", is: BigInt(value) };
  if (isDouble(value)) return { type: "double", is: Number(value instanceof Boxed ? value.value : value) };
  if (value instanceof Uint) return { type: "uint", is: value.value };
  if (Array.isArray(value)) return { type: "list", is: value.map(toNaive) };
  if (value instanceof Optional)
    return { type: "optional", is: value.content === undefined ? undefined : toNaive(value.content) };
  return {
    type: "map",
    is: mapEntries(value as MapValue, UNCOUNTED).map(([key, entry]) => [toNaive(key), toNaive(entry)]),
  };
}

function sameResult(a: Result, b: Result): boolean {
  if (a instanceof CelError || b instanceof CelError)
    return a instanceof CelError && b instanceof CelError && a.message === b.message;
  return equal(toNaive(a), toNaive(b));
}

describe("laws", () => {
  test("a text never makes the compiler throw, and what compiles never makes the evaluator throw", () => {
    const pieces = fc.constantFrom(
      ..."a b ( ) [ ] { } . .? [? ? : , + - * / % ! && || == != < <= > >= in 1 2.5 3u 'x' \"y\" b'z' r'\\d' true null has size all exists map o d l x `k` \\ ' \" // 0x 1e // \n é 😀 @ # $ ; = matches format duration(\"1h\")".split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(" ")),
      fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join("")),
      expressions,
    );
    fc.assert(
      fc.property(text, bindings, (expression, data) => {
        const { program, errors } = compile(expression, env);
        expect(program === undefined).toBe(errors.length > 0);
        for (const { start, end, line, column } of errors) {
          expect(start).toBeLessThanOrEqual(end);
          expect(line).toBeGreaterThan(0);
          expect(column).toBeGreaterThan(0);
        }
        program?.evaluate(data);
      }),
      options,
    );
  });

  test("evaluation equals that of an evaluator as plain as one can write it", () => {
    fc.assert(
      fc.property(expressions, bindings, (expression, data) => {
        const program = compiled(expression);
        const result = program.evaluate(data);
        if (result instanceof LimitError) return;
        const naive = naiveValue(program.checked.root, data);
        if (result instanceof CelError) expect(naive, `${expression}: ${result.message}`).toBeUndefined();
        else {
          expect(naive, expression).toBeDefined();
          expect(equal(naive as Naive, toNaive(result)), expression).toBe(true);
        }
      }),
      options,
    );
  });

  test("tracing changes neither value nor cost", () => {
    fc.assert(
      fc.property(expressions, bindings, (expression, data) => {
        const program = compiled(expression);
        const result = program.evaluate(data);
        const { cost } = program;
        const traced = program.trace(data);
        expect(sameResult(traced.result, result), expression).toBe(true);
        expect(program.cost, expression).toBe(cost);
      }),
      options,
    );
  });

  test("the cost never exceeds its limit by more than the step that reached it", () => {
    fc.assert(
      fc.property(expressions, bindings, fc.double({ min: 0, max: 1, noNaN: true }), (expression, data, share) => {
        const program = compiled(expression);
        const result = program.evaluate(data);
        const whole = program.cost;
        const limit = Math.floor(whole * share);
        const stopped = program.limit({ cost: limit }).evaluate(data);
        if (whole <= limit) {
          expect(sameResult(stopped, result), expression).toBe(true);
          return;
        }
        expect(stopped, expression).toBeInstanceOf(LimitError);
        const reached = program.cost;
        expect(reached).toBeGreaterThan(limit);
        expect(reached).toBeLessThanOrEqual(whole);
        // Every limit between the two is passed by the same step.
        program.limit({ cost: reached - 1 }).evaluate(data);
        expect(program.cost, expression).toBe(reached);
      }),
      options,
    );
  });

  test("the static estimate is never below the cost of an evaluation", () => {
    fc.assert(
      fc.property(expressions, bindings, (expression, data) => {
        const program = compiled(expression);
        program.evaluate(data);
        expect(estimateCost(program.checked, env).max, expression).toBeGreaterThanOrEqual(program.cost);
      }),
      options,
    );
  });

  test("a change of a path that the expression does not depend on changes nothing", () => {
    const keys = fc.array(fc.constantFrom("a", "b", "env", "name", "constructor"), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        expressions,
        bindings,
        fc.constantFrom("o", "d"),
        keys,
        fc.anything({ maxDepth: 1 }).map(plainJson),
        (expression, data, variable, path, value) => {
          const program = compiled(expression);
          const read = dependenciesOf(program.checked).paths.filter((dependency) => dependency.variable === variable);
          const touches = read.some(({ path: other }) =>
            other.every((key, index) => index >= path.length || key === path[index]),
          );
          const changed = { ...data, [variable]: withValueAt(data[variable], path, value) };
          if (touches || changed[variable] === undefined) return;
          expect(
            sameResult(program.evaluate(changed), program.evaluate(data)),
            `${expression} with ${variable}.${path.join(".")}`,
          ).toBe(true);
        },
      ),
      options,
    );
  });
});

function plainJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null") as unknown;
  } catch {
    return null;
  }
}

/** The same data with another value at the path; undefined if the path does not exist. */
function withValueAt(data: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  const inner = withValueAt(
    Object.hasOwn(data, key) ? (data as Record<string, unknown>)[key] : rest.length === 0 ? null : undefined,
    rest,
    value,
  );
  if (inner === undefined) return undefined;
  return Object.defineProperty({ ...data }, key, {
    value: inner,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
