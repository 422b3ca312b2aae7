// Does the math library compute what it computes in cel-go? Answers are those of cel-go v0.29.2, ext.Math().
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOverload } from "../../../../test/cel/call-overload.ts";
import type { Call, Node } from "../../ast.ts";
import { double, int, Uint } from "../../value/number.ts";
import type { Value } from "../../value/value.ts";
import { mathLibrary } from "./math.ts";

function call(id: string, ...args: readonly Value[]): Value {
  return callOverload(mathLibrary, id, ...args);
}

const u = (value: bigint): Uint => new Uint(value);

describe("numbers", () => {
  it.each<[id: string, args: Value[], expected: Value]>([
    ["math_@max_int", [1], 1],
    ["math_@max_int_double", [2, double(2)], 2],
    ["math_@max_double_int", [double(2), 2], double(2)],
    ["math_@max_int_uint", [9223372036854775807n, u(18446744073709551615n)], u(18446744073709551615n)],
    ["math_@min_int_double", [1, 0.5], 0.5],
    ["math_@min_uint_int", [u(1n), -1], -1],
    ["math_@max_list_int", [[1, 3, 2]], 3],
    ["math_@max_list_int", [[1, 3.5, u(2n)]], 3.5],
    ["math_@min_list_double", [[2.5, -1]], -1],
    ["math_@min_list_int", [[]], "error: an empty list has no least and no greatest number"],
    ["math_@max_list_int", [[1, "a"]], 'error: "a" is not a number'],
    ["math_@max_double_double", [Number.NaN, 1.5], "error: NaN is neither less nor greater than a number"],
    ["math_ceil_double", [1.2], double(2)],
    ["math_floor_double", [-1.2], double(-2)],
    ["math_trunc_double", [-1.9], double(-1)],
    ["math_round_double", [1.5], double(2)],
    ["math_round_double", [2.5], double(3)],
    ["math_round_double", [-1.5], double(-2)],
    ["math_round_double", [0.49999999999999994], double(0)],
    ["math_round_double", [-0.4], double(-0)],
    ["math_round_double", [4503599627370495.5], double(4503599627370496)],
    ["math_round_double", [Number.NaN], Number.NaN],
    ["math_isInf_double", [Number.NEGATIVE_INFINITY], true],
    ["math_isInf_double", [1.5], false],
    ["math_isNaN_double", [Number.NaN], true],
    ["math_isFinite_double", [double(1)], true],
    ["math_isFinite_double", [Number.NaN], false],
    ["math_abs_int", [-1], 1],
    ["math_abs_int", [-9223372036854775807n], 9223372036854775807n],
    ["math_abs_int", [-9223372036854775808n], "error: integer overflow"],
    ["math_abs_double", [double(-0)], double(0)],
    ["math_abs_uint", [u(7n)], u(7n)],
    ["math_sign_int", [-9223372036854775807n], -1],
    ["math_sign_uint", [u(9n)], u(1n)],
    ["math_sign_double", [-100.43], double(-1)],
    ["math_sign_double", [double(-0)], double(0)],
    ["math_sign_double", [Number.NaN], Number.NaN],
    ["math_sqrt_double", [-15.34], Number.NaN],
    ["math_sqrt_int", [49], double(7)],
    ["math_sqrt_uint", [u(2n)], Math.SQRT2],
  ])("%s %o", (id, args, expected) => {
    expect(call(id, ...args)).toEqual(expected);
  });
});

describe("bits", () => {
  it.each<[id: string, args: Value[], expected: Value]>([
    ["math_bitAnd_int_int", [3, -1], 3],
    ["math_bitAnd_uint_uint", [u(3n), u(6n)], u(2n)],
    ["math_bitOr_int_int", [-9223372036854775808n, 1], -9223372036854775807n],
    ["math_bitXor_uint_uint", [u(1n), u(3n)], u(2n)],
    ["math_bitNot_int_int", [9223372036854775807n], -9223372036854775808n],
    ["math_bitNot_uint_uint", [u(0n)], u(18446744073709551615n)],
    ["math_bitShiftLeft_int_int", [1, 63], -9223372036854775808n],
    ["math_bitShiftLeft_int_int", [1, 64], 0],
    ["math_bitShiftLeft_int_int", [-1, 1], -2],
    ["math_bitShiftLeft_uint_int", [u(3n), 63], u(9223372036854775808n)],
    ["math_bitShiftLeft_int_int", [1, -1], "error: bits cannot be moved by -1 places"],
    ["math_bitShiftRight_int_int", [-1024, 3], 2305843009213693824n],
    ["math_bitShiftRight_int_int", [-1, 63], 1],
    ["math_bitShiftRight_int_int", [1, 9223372036854775807n], 0],
    ["math_bitShiftRight_uint_int", [u(1024n), 2], u(256n)],
  ])("%s %o", (id, args, expected) => {
    expect(call(id, ...args)).toEqual(expected);
  });

  it("obey the law of De Morgan", () => {
    const ints = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => int(value) as Value);
    fc.assert(
      fc.property(ints, ints, (a, b) => {
        const left = call("math_bitNot_int_int", call("math_bitAnd_int_int", a, b));
        const right = call("math_bitOr_int_int", call("math_bitNot_int_int", a), call("math_bitNot_int_int", b));
        expect(left).toBe(right);
      }),
      { seed: 1 },
    );
  });
});

describe("least and greatest", () => {
  const at = { start: 0, end: 1 };
  const literal = (value: Value): Node => ({ kind: "literal", value, ...at });
  const list = (...values: Value[]): Node => ({
    kind: "list",
    elements: values.map((value) => ({ value: literal(value), optional: false })),
    ...at,
  });
  const name: Node = { kind: "identifier", name: "x", absolute: false, ...at };

  function expand(...args: Node[]): { readonly becomes?: Call; readonly mistakes: string[] } {
    const mistakes: string[] = [];
    const call: Call = { kind: "call", name: "greatest", target: undefined, args, at, ...at };
    const macro = mathLibrary.macros?.find((each) => each.name === "greatest");
    const becomes = macro?.expand(call, { mistake: (_at, message) => mistakes.push(message) });
    return becomes === call ? { mistakes } : { becomes: becomes as Call, mistakes };
  }

  it("become calls of functions of one or two arguments, or of a list", () => {
    expect(expand(literal(1)).becomes).toMatchObject({ name: "math.@max", args: [literal(1)] });
    expect(expand(literal(1), name).becomes?.args).toEqual([literal(1), name]);
    expect(expand(literal(1), name, literal(2)).becomes?.args).toMatchObject([{ kind: "list" }]);
    expect(expand(list(1, 2)).becomes?.args).toEqual([list(1, 2)]);
  });

  it.each<[args: Node[], mistake: string]>([
    [[], "math.greatest() needs at least one argument"],
    [[literal("a")], "math.greatest() takes numbers or a list of them"],
    [[list()], "math.greatest() takes numbers or a list of them"],
    [[list(1, "a")], "math.greatest() takes numbers or a list of them"],
    [[literal(1), literal("a")], "math.greatest() takes numbers"],
    [[literal(1), list(1)], "math.greatest() takes numbers"],
  ])("refuse what cannot be a number %#", (args, mistake) => {
    expect(expand(...args).mistakes).toEqual([mistake]);
  });
});
