// Is a pattern's size known well enough before it is compiled?
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { outlineOf } from "./outline.ts";

describe("size", () => {
  it.each([
    "",
    "a",
    "abc",
    "a|b|c",
    "(a)(b)",
    "(?:a|b)*",
    "a{30}",
    "a{3,30}",
    "a{3,}",
    "(ab?){20}",
    "(?:(?:a{3}b){4}c){5}",
    "[a-z]{10}",
    "[]{]{5}",
    "[[:alpha:]{5}]",
    "\\x{41}{7}",
    "\\pL{5}",
    "[\\pL{5}]",
    "\\Qa{50}\\E",
    "\\Qa{50}",
    "a{,5}",
    "a{",
    "\\{50}",
    "(?i)abc",
    "(?P<n>a{3})",
    "(?i:a{9})",
    "^\\d{1,3}(?:\\.\\d{1,3}){3}$",
    "(){2,}",
    "(a*)*",
  ])("%s", (pattern) => {
    const { size } = outlineOf(pattern);
    const compiled = RE2JS.compile(pattern).programSize();
    expect(size + 3).toBeGreaterThanOrEqual(compiled);
    if (!pattern.includes("\\p")) expect(size).toBeLessThan(2 * compiled + 3);
  });

  it("is found without writing repetitions out", () => {
    expect(outlineOf("((a{1000}){1000}){1000}").size).toBeGreaterThan(1e9);
    expect(outlineOf("a{999999999999999999999999}").size).toBeGreaterThan(1e5);
  });
});

describe("brackets without a partner", () => {
  it.each([
    ["(a[b]c)", undefined, undefined],
    ["a(b(c)", 1, undefined],
    ["a(b(c", 3, undefined],
    ["a[b", 1, undefined],
    ["a[]b", 1, undefined],
    ["a)b)", undefined, 1],
    ["\\(a", undefined, undefined],
    ["\\Q(\\E", undefined, undefined],
    ["[(]", undefined, undefined],
    ["(?i)a", undefined, undefined],
  ])("%s", (pattern, unclosed, unopened) => {
    expect(outlineOf(pattern)).toMatchObject({ unclosed, unopened });
  });
});
