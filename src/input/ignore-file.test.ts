// Do ignore files mean what their author thinks? What git itself answers is in test/differential/gitignore.json.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isIgnored, MAX_PATTERN_LENGTH, MAX_RULES, parseIgnoreFile } from "./ignore-file.ts";

/** Whether a path is ignored by one file at the top; a path that ends in a slash is a directory. */
function ignored(file: string, path: string): boolean {
  const isDirectory = path.endsWith("/");
  return isIgnored([parseIgnoreFile(file)], (isDirectory ? path.slice(0, -1) : path).split("/"), isDirectory);
}

describe("an ignore file", () => {
  it("names files, and lets some in again", () => {
    const file = "# not part of the catalog\nREADME.md\n*.draft.yaml\n!deprecations.draft.yaml\n";
    expect(ignored(file, "README.md")).toBe(true);
    expect(ignored(file, "lantern/lantern-3.draft.yaml")).toBe(true);
    expect(ignored(file, "oakum/deprecations.draft.yaml")).toBe(false);
    expect(ignored(file, "lantern/catalog.yaml")).toBe(false);
  });

  it("cannot let in what is below an ignored directory", () => {
    expect(ignored("a/\n!a/b", "a/b")).toBe(true);
    expect(ignored("a/*\n!a/b", "a/b")).toBe(false);
  });

  it("counts more than one above it", () => {
    const levels = [parseIgnoreFile("*.yaml"), parseIgnoreFile("!keep.yaml")];
    expect(isIgnored(levels, ["x", "keep.yaml"], false)).toBe(false);
    expect(isIgnored(levels, ["x", "other.yaml"], false)).toBe(true);
    expect(isIgnored(levels, ["keep.yaml"], false)).toBe(true);
  });

  it("may be empty or missing", () => {
    expect(parseIgnoreFile("\n\r\n# only words\n   \n!\n/\n")).toEqual([]);
    expect(isIgnored([], ["a", "b"], false)).toBe(false);
    expect(isIgnored([parseIgnoreFile("*")], [], true)).toBe(false);
  });
});

describe("differences from git, on purpose", () => {
  it("one character is one character, not one byte", () => {
    expect(ignored("?", "é")).toBe(true);
    expect(ignored("?", "🜛")).toBe(true);
    expect(ignored("[а-я]", "ж")).toBe(true);
    expect(ignored("[!a]", "é")).toBe(true);
  });

  it("asterisks inside a name are ordinary ones", () => {
    expect(ignored("a**/b", "ax/b")).toBe(true);
    expect(ignored("a**/b", "ax/y/b")).toBe(false);
    expect(ignored("a**/b", "ab")).toBe(false);
  });
});

describe("hostile ignore files", () => {
  it("do not multiply the work: backtracking over these patterns would not end", () => {
    const stars = `${"a*".repeat(MAX_PATTERN_LENGTH / 2 - 1)}b`;
    const names = `${"**/a/".repeat(MAX_PATTERN_LENGTH / 5 - 1)}b`;
    const name = "a".repeat(255);
    expect(ignored(stars, name)).toBe(false);
    expect(ignored(names, "a/".repeat(2000))).toBe(false);
    expect(ignored(`${stars}\n`.repeat(MAX_RULES), name)).toBe(false);
  });

  it("are bounded", () => {
    expect(parseIgnoreFile("a\n".repeat(MAX_RULES + 10))).toHaveLength(MAX_RULES);
    expect(parseIgnoreFile(`${"a".repeat(MAX_PATTERN_LENGTH + 1)}\nb`)).toHaveLength(1);
    expect(parseIgnoreFile("a".repeat(10_000_000))).toEqual([]);
  });

  it("throw nothing, and never part a directory from what is in it", () => {
    const text = fc.array(
      fc.constantFrom("a", "b", "/", "*", "?", "[", "]", "!", "\\", "\n", "-", ":", "^", " ", "\r"),
    );
    const path = fc.array(fc.constantFrom("a", "b", "ab", "[", "-"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, path, fc.boolean(), (characters, names, isDirectory) => {
        const rules = parseIgnoreFile(characters.join(""));
        const answer = isIgnored([rules], names, isDirectory);
        // What is in an ignored directory is ignored.
        if (answer && isDirectory) expect(isIgnored([rules], [...names, "x"], false)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
