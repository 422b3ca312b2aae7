// Are patterns measured before they are written out, and is it known which bracket has no partner?
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { PatternFault } from "./mistake.ts";
import { type Pattern, parsePattern } from "./parse.ts";
import { compileProgram } from "./program.ts";

function parsed(pattern: string): Pattern {
  const read = parsePattern(pattern);
  if (read instanceof PatternFault) throw read;
  return read;
}

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
    const { root, groups } = parsed(pattern);
    expect(compileProgram(root, groups).instructions.length).toBeLessThanOrEqual(root.size + 1);
    const compiled = RE2JS.compile(pattern).programSize();
    expect(root.size + 3).toBeGreaterThanOrEqual(compiled);
    if (!pattern.includes("\\p")) expect(root.size).toBeLessThan(2 * compiled + 3);
  });

  it.each([
    "a{1000}{1000}",
    "(?:a{1000}){1000}",
    "((a{1000}){1000}){1000}",
    "(?:a{1000}){6}",
    "\\pL{251}",
    "[\\pL]{240}",
  ])("%s is too large, which is known without writing repetitions out", (pattern) => {
    expect(parsePattern(pattern)).toMatchObject({ kind: "size" });
  });
});

describe("nesting", () => {
  it.each([
    [999, "(", ")", "a", true],
    [1000, "(", ")", "a", false],
    [999, "(", ")", "abc", true],
    [999, "(", ")", "a|b", true],
    [998, "(", ")", "ab|c", true],
    [999, "(", ")", "ab|c", false],
    [999, "(?:", ")?", "a", true],
    [1000, "(?:", ")?", "a", false],
    [500, "(?:", "b)?", "a", true],
    [501, "(?:", "b)?", "a", false],
    [3000, "(?:", ")", "a", true],
  ])("of %d %s%s around %s: %s, as in re2js", (depth, open, close, inner, expected) => {
    const pattern = open.repeat(depth) + inner + close.repeat(depth);
    expect(!(parsePattern(pattern) instanceof PatternFault)).toBe(expected);
    if (expected) expect(() => RE2JS.compile(pattern)).not.toThrow();
    else expect(() => RE2JS.compile(pattern)).toThrow("nests too deeply");
  });
});

describe("brackets without a partner", () => {
  it.each([
    ["(a[b]c)", undefined, undefined],
    ["a(b(c)", "unclosed parenthesis", 1],
    ["a(b(c", "unclosed parenthesis", 3],
    ["a[b", "unclosed bracket", 1],
    ["a[]b", "unclosed bracket", 1],
    ["a)b)", "unopened parenthesis", 1],
    ["\\(a", undefined, undefined],
    ["\\Q(\\E", undefined, undefined],
    ["[(]", undefined, undefined],
    ["(?i)a", undefined, undefined],
  ])("%s", (pattern, kind, from) => {
    const read = parsePattern(pattern);
    if (kind === undefined) expect(read).not.toBeInstanceOf(PatternFault);
    else expect(read).toMatchObject({ kind, from });
  });
});
