// Does `format` write what cel-go v0.29.2 (ext.Strings(), format of version 4) writes?
import { describe, expect, it } from "vitest";
import { callOverload, overloadOf } from "../../../../test/cel/call-overload.ts";
import { Bytes, CelMap, Optional, TypeValue } from "../../value/boxes.ts";
import { parseDuration } from "../../value/duration.ts";
import { double, Uint } from "../../value/number.ts";
import { parseTimestamp } from "../../value/timestamp.ts";
import type { Value } from "../../value/value.ts";
import { stringsLibrary } from "./strings.ts";

const NOT_A_NUMBER = Number.NaN;
const INFINITE = Number.POSITIVE_INFINITY;
const mixed = new CelMap(
  new Map<string | number | boolean, readonly [Value, Value]>([
    ["b", ["b", 1]],
    ["a", ["a", [1]]],
    [3, [3, 4]],
    [true, [true, false]],
  ]),
);

describe("format", () => {
  it.each<[format: string, args: Value[], expected: string]>([
    ["no clauses, 100%%", [], "no clauses, 100%"],
    ["%s and %s", ["a", 1], "a and 1"],
    ["%d %d %d", [1, new Uint(2n), double(3)], "1 2 3"],
    ["%d", [9223372036854775807n], "9223372036854775807"],
    ["%d", [1e21], "1000000000000000000000"],
    ["%d %s", [double(-0), double(-0)], "-0 -0"],
    ["%s %s %s", [1e-7, 0.1, 123456789.125], "0.0000001 0.1 123456789.125"],
    ["%f %.3f %.0f %.0f", [2.6875, 2.5, 2.5, 3.5], "2.687500 2.500 2 4"],
    ["%.1f", [1.25], "1.2"],
    ["%f %f", [1, new Uint(18446744073709551615n)], "1.000000 18446744073709551616.000000"],
    ["%e %.0e %.3e", [2.6875, 2.5, double(0)], "2.687500e+00 2e+00 0.000e+00"],
    ["%.3e %e", [-1234.5678, 5e-324], "-1.235e+03 4.940656e-324"],
    ["%.20e", [1e23], "9.99999999999999916114e+22"],
    ["%.1e %.2e", [9.96, 9.995], "1.0e+01 9.99e+00"],
    ["%e %f %d %s", [NOT_A_NUMBER, INFINITE, -INFINITE, NOT_A_NUMBER], "NaN Infinity -Infinity NaN"],
    ["%b %b %b", [5, -5, true], "101 -101 1"],
    ["%b", [new Uint(18446744073709551615n)], "1".repeat(64)],
    ["%o %o", [8, -8], "10 -10"],
    ["%x %X %x", [30, -30, new Uint(255n)], "1e -1E ff"],
    ["%x", [-9223372036854775808n], "-8000000000000000"],
    ["%x %X", ["Hello 😀", new Bytes(new Uint8Array([255, 0]))], "48656c6c6f20f09f9880 FF00"],
    ["%s", [[1, double(2), new Uint(3n), "x", null, true, [], {}]], "[1, 2, 3, x, null, true, [], {}]"],
    ["%s", [mixed], "{3: 4, a: [1], b: 1, true: false}"],
    ["%s", [{ "10": 1, "9": 2, é: 3, z: 4 }], "{10: 1, 9: 2, z: 4, é: 3}"],
    ["%s", [parseTimestamp("2023-02-03T23:31:20+01:00") as Value], "2023-02-03T22:31:20Z"],
    ["%s", [parseDuration("1h45m47.5s") as Value], "6347.5s"],
    ["%s", [new TypeValue("int")], "int"],
    ["%s", [new Bytes(new TextEncoder().encode("xyz"))], "xyz"],
    ["%.2s %.2d", ["abc", 5], "abc 5"],
    ["%s", ["a", "left over"], "a"],
    ["%s", [], "error: the format has more clauses than the 0 arguments it is given"],
    ["%", [1], "error: the format ends in the middle of a clause"],
    ["%.3", [0.5], "error: the format ends in the middle of a clause"],
    ["%.f", [0.5], "error: the format has a %. without a number of digits after it"],
    ["%.101f", [0.5], "error: the format wants 101 digits, more than 100"],
    ["%y", [1], "error: the format has a clause %y, which does not exist"],
    ["%5d", [1], "error: the format has a clause %5, which does not exist"],
    ["%f", ["x"], "error: %f writes ints, uints and doubles, not string"],
    ["%d", [true], "error: %d writes ints, uints and doubles, not bool"],
    ["%b", ["x"], "error: %b writes ints, uints and bools, not string"],
    ["%o", [true], "error: %o writes ints and uints, not bool"],
    ["%x", [1.5], "error: %x writes ints, uints, strings and bytes, not double"],
    ["%s", [[Optional.none]], "error: %s cannot write a value of the type optional_type(dyn)"],
  ])("%j of %o", (format, args, expected) => {
    expect(callOverload(stringsLibrary, "string_format", format, args)).toBe(expected);
  });

  it("reports an error in a literal at compile time", () => {
    const { prepare } = overloadOf(stringsLibrary, "string_format");
    expect(prepare?.specialise("%y")).toEqual({ mistake: "the format has a clause %y, which does not exist" });
    const prepared = prepare?.specialise("%s!");
    expect(typeof prepared === "function" && prepared("%s!", ["a"], { bindings: {}, allocate: () => {} })).toBe("a!");
  });
});
