// Does the regex library do and cost what it does in cel-go? Answers are those of cel-go v0.29.2, ext.Regex().
import { describe, expect, it } from "vitest";
import { callOverload, costOf, countingRun, overloadOf } from "../../../../test/cel/call-overload.ts";
import { Optional } from "../../value/boxes.ts";
import type { Value } from "../../value/value.ts";
import { regexLibrary } from "./regex.ts";

const EXTRACT = "regex_extract_string_string";
const EXTRACT_ALL = "regex_extractAll_string_string";
const REPLACE = "regex_replace_string_string_string";
const REPLACE_SOME = "regex_replace_string_string_string_int";
const UNUSABLE = "cannot be used as a regular expression";

describe("regex", () => {
  it.each<[id: string, args: Value[], expected: Value, cost: number]>([
    [EXTRACT, ["hello world", "hello(.*)"], new Optional(" world"), 5],
    [EXTRACT, ["item-A, item-B", "item-(\\w+)"], new Optional("A"), 7],
    [EXTRACT, ["HELLO", "hello"], Optional.none, 3],
    [EXTRACT, ["a", "a(b)?"], Optional.none, 3],
    [EXTRACT, ["a", ""], new Optional(""), 3],
    [EXTRACT, ["a", "(a)(b)"], `error: "(a)(b)" ${UNUSABLE}: it has more than one group`, 3],
    [EXTRACT, ["a", "("], `error: "(" ${UNUSABLE}: the ( at character 1 is never closed`, 3],
    [EXTRACT_ALL, ["id:123, id:456", "id:(\\d+)"], ["123", "456"], 17],
    [EXTRACT_ALL, ["id:123, id:456", "\\d+"], ["123", "456"], 15],
    [EXTRACT_ALL, ["aab", "a|(b)"], ["b"], 13],
    [EXTRACT_ALL, ["abc", "z*"], ["", "", "", ""], 16],
    [REPLACE, ["hello world hello", "hello", "hi"], "hi world hi", 14],
    [REPLACE, ["foo bar", "(fo)o (ba)r", "\\2 \\1"], "ba fo", 8],
    [REPLACE, ["test", "t", "\\\\"], "\\es\\", 5],
    [REPLACE, ["abc", "", "-"], "-a-b-c-", 8],
    [REPLACE, ["a", "(b)?a", "<\\1\\0>"], "<a>", 4],
    [REPLACE, ["test", "x", "\\2"], "test", 5],
    [REPLACE, ["test", "(.)", "\\2"], "error: the replacement names group 2, but the regular expression has 1", 2],
    [REPLACE, ["test", "t", "\\"], 'error: the replacement "\\\\" has a \\ that is not followed by a digit or \\', 2],
    [REPLACE, ["test", "t", "\\a"], 'error: the replacement "\\\\a" has a \\ that is not followed by a digit or \\', 2],
    [REPLACE_SOME, ["banana", "a", "x", 2], "bxnxna", 7],
    [REPLACE_SOME, ["banana", "a", "x", 0], "banana", 7],
    [REPLACE_SOME, ["banana", "a", "x", -3], "bxnxnx", 7],
  ])("%s %o", (id, args, expected, cost) => {
    expect(callOverload(regexLibrary, id, ...args)).toEqual(expected);
    expect(costOf(regexLibrary, id, args)).toBe(cost);
  });

  it("compiles a literal once, and reports its error", () => {
    const { prepare } = overloadOf(regexLibrary, EXTRACT_ALL);
    expect(prepare?.argument).toBe(1);
    const prepared = prepare?.specialise("\\d");
    expect(typeof prepared === "function" && prepared("1a2", "\\d", countingRun())).toEqual(["1", "2"]);
    expect(prepare?.specialise("(")).toEqual({ mistake: `"(" ${UNUSABLE}: the ( at character 1 is never closed` });
  });

  it("asks for memory while it replaces", () => {
    const { call } = overloadOf(regexLibrary, REPLACE);
    expect(() => call("a".repeat(10_000), "", "b".repeat(10_000), countingRun(1_000_000))).toThrow("too much memory");
  });
});
