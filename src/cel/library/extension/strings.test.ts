// Do the functions of strings do and cost what they do in cel-go? Answers are those of cel-go v0.29.2, ext.Strings().
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callOverload, costOf, countingRun, overloadOf } from "../../../../test/cel/call-overload.ts";
import { compareStrings } from "../../value/text.ts";
import type { Value } from "../../value/value.ts";
import { stringsLibrary } from "./strings.ts";

function call(id: string, ...args: readonly Value[]): Value {
  return callOverload(stringsLibrary, id, ...args);
}

describe("characters and positions", () => {
  it.each<[id: string, args: Value[], expected: Value]>([
    ["string_char_at_int", ["tacocat", 3], "o"],
    ["string_char_at_int", ["tacocat", 7], ""],
    ["string_char_at_int", ["tacocat", 8], "error: index 8 is outside of a string of 7 characters"],
    ["string_char_at_int", ["tacocat", -1], "error: index -1 is outside of a string of 7 characters"],
    ["string_char_at_int", ["tacocat", 2n ** 62n], `error: index ${2n ** 62n} is outside of a string of 7 characters`],
    ["string_char_at_int", ["a😀b", 1], "😀"],
    ["string_index_of_string", ["tacocat", ""], 0],
    ["string_index_of_string", ["tacocat", "ac"], 1],
    ["string_index_of_string", ["tacocat", "none"], -1],
    ["string_index_of_string_int", ["tacocat", "", 3], 3],
    ["string_index_of_string_int", ["tacocat", "", 30], 7],
    ["string_index_of_string_int", ["tacocat", "a", 3], 5],
    ["string_index_of_string_int", ["tacocat", "a", 7], -1],
    ["string_index_of_string_int", ["tacocat", "a", -1], "error: index -1 is outside of a string of 7 characters"],
    ["string_index_of_string_int", ["😀a😀", "😀", 1], 2],
    ["string_last_index_of_string", ["tacocat", ""], 7],
    ["string_last_index_of_string", ["tacocat", "at"], 5],
    ["string_last_index_of_string", ["", "@@"], -1],
    ["string_last_index_of_string", ["😀a😀", "😀"], 2],
    ["string_last_index_of_string_int", ["tacocat", "", 30], 7],
    ["string_last_index_of_string_int", ["tacocat", "a", 3], 1],
    ["string_last_index_of_string_int", ["tacocat", "a", 7], -1],
    ["string_last_index_of_string_int", ["bananananana", "nana", 7], 6],
    ["string_last_index_of_string_int", ["tacocat", "tacocatx", 3], -1],
    ["string_substring_int", ["tacocat", 4], "cat"],
    ["string_substring_int", ["tacocat", 7], ""],
    ["string_substring_int", ["tacocat", 8], "error: index 8 is outside of a string of 7 characters"],
    ["string_substring_int", ["ta©o😀αT", 4], "😀αT"],
    ["string_substring_int_int", ["ta©o😀αT", 2, 6], "©o😀α"],
    ["string_substring_int_int", ["tacocat", 4, 4], ""],
    ["string_substring_int_int", ["tacocat", 4, 3], "error: a part of a string cannot begin at 4 and end at 3"],
    ["string_substring_int_int", ["tacocat", -1, 3], "error: index -1 is outside of a string of 7 characters"],
    ["string_substring_int_int", ["tacocat", 0, 8], "error: index 8 is outside of a string of 7 characters"],
  ])("%s %o", (id, args, expected) => {
    expect(call(id, ...args)).toEqual(expected);
  });

  it("outside of the string are an error, as the official tests want and cel-go does not", () => {
    expect(call("string_index_of_string_int", "tacocat", "a", 30)).toMatch(/^error: index 30/);
    expect(call("string_last_index_of_string_int", "tacocat", "a", 30)).toMatch(/^error: index 30/);
  });
});

describe("parts and words", () => {
  it.each<[id: string, args: Value[], expected: Value]>([
    ["string_replace_string_string", ["{0} days {0} hours", "{0}", "2"], "2 days 2 hours"],
    ["string_replace_string_string", ["hello", "", "_"], "_h_e_l_l_o_"],
    ["string_replace_string_string", ["a😀", "", "-"], "-a-😀-"],
    ["string_replace_string_string", ["", "", "x"], "x"],
    ["string_replace_string_string", ["a$b", "b", "$&"], "a$$&"],
    ["string_replace_string_string_int", ["hello", "", "_", 2], "_h_ello"],
    ["string_replace_string_string_int", ["hello", "", "_", 6], "_h_e_l_l_o_"],
    ["string_replace_string_string_int", ["aaa", "a", "bb", 2], "bbbba"],
    ["string_replace_string_string_int", ["aaa", "a", "bb", 0], "aaa"],
    ["string_replace_string_string_int", ["aaa", "a", "bb", -7], "bbbbbb"],
    ["string_split_string", ["hello hello hello", " "], ["hello", "hello", "hello"]],
    ["string_split_string", ["h😀", ""], ["h", "😀"]],
    ["string_split_string", ["", ""], []],
    ["string_split_string", ["", ","], [""]],
    ["string_split_string_int", ["a b c", " ", 0], []],
    ["string_split_string_int", ["a b c", " ", 1], ["a b c"]],
    ["string_split_string_int", ["a b c", " ", 2], ["a", "b c"]],
    ["string_split_string_int", ["a b c", " ", 9], ["a", "b", "c"]],
    ["string_split_string_int", ["hello", "", 2], ["h", "ello"]],
    ["string_split_string_int", ["", "", 1], []],
    ["list_join", [["x", "y"]], "xy"],
    ["list_join", [[]], ""],
    ["list_join_string", [["x", "y"], "-"], "x-y"],
    ["list_join_string", [["x", 1], "-"], "error: join() takes strings, not 1"],
  ])("%s %o", (id, args, expected) => {
    expect(call(id, ...args)).toEqual(expected);
  });
});

describe("forms", () => {
  it.each<[id: string, text: string, expected: string]>([
    ["string_lower_ascii", "TacoCÆt XİI", "tacocÆt xİi"],
    ["string_upper_ascii", "TacoCÆt xßi", "TACOCÆT XßI"],
    ["string_trim", " \f\n\r\t\vtext\u0085\u00a0\u1680\u2000\u2028\u202f\u3000", "text"],
    ["string_trim", "\ufefftext\u200b", "\ufefftext\u200b"],
    ["string_trim", "   ", ""],
    ["string_reverse", "a😀b", "b😀a"],
    ["strings_quote", "first\nsecond", '"first\\nsecond"'],
    ["strings_quote", '\u0007\v\b\f\t\r\\ "x" \u0001 é 😀', '"\\a\\v\\b\\f\\t\\r\\\\ \\"x\\" \u0001 é 😀"'],
    ["strings_quote", "a\ud800b\udc00", '"a\ufffdb\ufffd"'],
  ])("%s(%j)", (id, text, expected) => {
    expect(call(id, text)).toBe(expected);
  });
});

describe("costs", () => {
  const big = "x".repeat(95);
  it.each<[id: string, args: Value[], expected: number]>([
    ["string_char_at_int", ["hello world", 4], 4],
    ["string_index_of_string", ["hello world", "o"], 3],
    ["string_index_of_string", ["hello world", ""], 1],
    ["string_index_of_string", [big, "hello world"], 106],
    ["string_lower_ascii", ["hello world"], 14],
    ["string_replace_string_string", ["hello world", "l", "LLLL"], 23],
    ["string_replace_string_string", ["", "a", "b"], 2],
    ["string_split_string", ["hello world", " "], 15],
    ["string_split_string", ["", ","], 13],
    ["string_substring_int", ["hello world", 11], 3],
    ["list_join_string", [["ab", "cd", "ef"], ", "], 12],
    ["strings_quote", ["hello world"], 2],
    ["string_format", ["%s is %d", ["hello", 1]], 1],
  ])("%s %o", (id, args, expected) => {
    expect(costOf(stringsLibrary, id, args)).toBe(expected);
    // Kubernetes' own figures are behind those of the library, where it has figures.
    expect(costOf(stringsLibrary, id, args, true)).toBe(expected);
  });

  it("are within the estimate", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀"), maxLength: 30 });
    const position = fc.integer({ min: -2, max: 33 });
    fc.assert(
      fc.property(text, text, text, position, position, (a, b, c, i, j) => {
        const calls: readonly (readonly [string, readonly Value[]])[] = [
          ["string_char_at_int", [a, i]],
          ["string_index_of_string_int", [a, b, i]],
          ["string_last_index_of_string", [a, b]],
          ["string_replace_string_string_int", [a, b, c, i]],
          ["string_replace_string_string", [a, "", c]],
          ["string_split_string_int", [a, b, i]],
          ["string_split_string", [a, ""]],
          ["string_substring_int_int", [a, i, j]],
          ["string_trim", [a]],
          ["strings_quote", [a]],
        ];
        for (const [id, args] of calls) {
          const overload = overloadOf(stringsLibrary, id);
          const sizes = args.map((arg, index) => {
            const size = typeof arg === "string" ? [...arg].length : 1;
            return {
              size: { min: size, max: size },
              type: overload.parameters[index] as (typeof overload.parameters)[0],
            };
          });
          const estimate = overload.estimate?.(sizes);
          expect(estimate?.cost.max).toBeGreaterThanOrEqual(costOf(stringsLibrary, id, args));
          const result = callOverload(stringsLibrary, id, ...args);
          const size = typeof result === "string" ? [...result].length : Array.isArray(result) ? result.length : 1;
          if (typeof result !== "string" || !result.startsWith("error:")) {
            expect(estimate?.size?.max ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(size);
          }
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe("laws", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "ab", "é", "😀") });

  it("split and join undo each other, and reverse itself", () => {
    fc.assert(
      fc.property(text, fc.constantFrom("a", "😀", ","), (a, separator) => {
        expect(call("list_join_string", call("string_split_string", a, separator), separator)).toBe(a);
        expect(call("string_reverse", call("string_reverse", a))).toBe(a);
      }),
      { seed: 1 },
    );
  });

  it("indexOf is where substring finds the part", () => {
    fc.assert(
      fc.property(text, text, fc.nat(10), (a, part, from) => {
        const at = call("string_index_of_string_int", a, part, from);
        if (typeof at !== "number" || at < 0) return;
        expect(compareStrings(call("string_substring_int", a, at) as string, part)).toBeGreaterThanOrEqual(0);
        expect((call("string_substring_int", a, at) as string).startsWith(part)).toBe(true);
      }),
      { seed: 1 },
    );
  });
});

describe("memory", () => {
  it("is asked for before a long string is made", () => {
    const replace = overloadOf(stringsLibrary, "string_replace_string_string").call;
    expect(() => replace("a".repeat(10_000), "", "b".repeat(10_000), countingRun(1_000_000))).toThrow(
      "too much memory",
    );
    const join = overloadOf(stringsLibrary, "list_join_string").call;
    expect(() => join(new Array(10_000).fill(""), "b".repeat(10_000), countingRun(1_000_000))).toThrow(
      "too much memory",
    );
    const format = overloadOf(stringsLibrary, "string_format").call;
    let nested: Value = ["x"];
    for (let depth = 0; depth < 60; depth++) nested = [nested, nested];
    expect(() => format("%s", [nested], countingRun(1_000_000))).toThrow("too much memory");
  });
});
