// Do find and findAll do and cost what they do in Kubernetes? Answers are those of k8s.io/apiserver v0.37.2.
import { describe, expect, it } from "vitest";
import { callOverload, costOf, countingRun, overloadOf } from "../../../../test/cel/call-overload.ts";
import type { Value } from "../../value/value.ts";
import { kubernetesRegexLibrary } from "./regex.ts";

const FIND = "string_find_string";
const FIND_ALL = "string_find_all_string";
const FIND_SOME = "string_find_all_string_int";

describe("Kubernetes regex", () => {
  it.each<[id: string, args: Value[], expected: Value]>([
    [FIND, ["a1b22", "[0-9]+"], "1"],
    [FIND, ["abc", "[0-9]+"], ""],
    [FIND, ["😀1", "."], "😀"],
    [FIND, ["abc", "b("], 'error: "b(" cannot be used as a regular expression: the ( at character 2 is never closed'],
    [FIND_ALL, ["a1b22", "[0-9]+"], ["1", "22"]],
    [FIND_ALL, ["abc", "x"], []],
    [FIND_SOME, ["a1b22", "[0-9]+", 1], ["1"]],
    [FIND_SOME, ["a1b22", "[0-9]+", 0], []],
    [FIND_SOME, ["aaa", "a", -5], ["a", "a", "a"]],
    [FIND_SOME, ["abc", "", 2], ["", ""]],
  ])("%s %o", (id, args, expected) => {
    expect(callOverload(kubernetesRegexLibrary, id, ...args)).toEqual(expected);
  });

  it("cost by text and pattern where Kubernetes counts", () => {
    expect(costOf(kubernetesRegexLibrary, FIND, ["hello world", "h.*"])).toBe(1);
    expect(costOf(kubernetesRegexLibrary, FIND, ["hello world", "h.*"], true)).toBe(2);
    expect(costOf(kubernetesRegexLibrary, FIND_ALL, ["x".repeat(95), "x+x+x"], true)).toBe(20);
  });

  it("compile a literal once", () => {
    const prepared = overloadOf(kubernetesRegexLibrary, FIND_ALL).prepare?.specialise("\\d");
    expect(typeof prepared === "function" && prepared("1a2", "\\d", countingRun())).toEqual(["1", "2"]);
  });
});
