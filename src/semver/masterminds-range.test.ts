import { describe, expect, test } from "vitest";
import { parseConstraint, satisfies } from "./masterminds-range.ts";
import { parseVersion, type Version } from "./version.ts";

function allows(text: string, version: string): boolean {
  const constraint = parseConstraint(text);
  if (typeof constraint === "string") throw new Error(constraint);
  return satisfies(constraint, parseVersion(version) as Version);
}

test("a constraint is plain data", () => {
  const version = { major: 1, minor: 2, patch: 0, pre: [], build: [] };
  expect(parseConstraint("^1.2 || 2.x-0")).toEqual({
    text: "^1.2 || 2.x-0",
    anyOf: [
      { allOf: [{ operator: "^", open: "patch", version }], allowsPrereleases: false },
      {
        allOf: [{ operator: "=", open: "minor", version: { ...version, major: 2, minor: 0, pre: [0] } }],
        allowsPrereleases: true,
      },
    ],
  });
});

describe("what surprises, as in the original", () => {
  test.for([
    ["<2.0.0", "2.0.0-alpha", false, "pre-releases only where one is named"],
    ["<2.0.0-0", "1.5.0-alpha", true, "and then for all comparisons of the alternative"],
    ["~0.0.0", "5.0.0", true, "all three 0 is everything"],
    ["^*", "1.0.0", false, "^* is ^0.0.0"],
    ["<=*", "1.0.0", false, "<=* is <=0.0"],
    ["!=*", "1.0.0", true, "!=* is !=0.0.0"],
    ["1||2 - 3", "5.0.0", true, "the hyphen range begins with 1||2, so >= goes before the 1"],
  ] as const)("%s allows %s: %s (%s)", ([constraint, version, expected]) => {
    expect(allows(constraint, version)).toBe(expected);
  });
});

describe("reasons state what to write", () => {
  test.for([
    ["", "the constraint is empty: write * to allow every release"],
    ["1.0.0 ||", 'there is nothing on one side of || in "1.0.0 ||": remove || or write a comparison there'],
    [">=1.0.0,", 'a comma of ">=1.0.0," has no comparison next to it: remove it or write a comparison there'],
    ["==1.0.0", 'the operator "==" is not known: write ='],
    ["> = 1.0.0", 'the operator "> =" has spaces in it: write >='],
    ["^", "the operator ^ has no version after it: write one, such as ^1.0.0"],
    [">=1.0.0<2.0.0", "two comparisons have nothing between them: write >=1.0.0, <2.0.0"],
    [">=1.0.0 && <2.0.0", 'comparisons are joined by a comma or a space: remove "&&"'],
    ["1.0.0 or 2.0.0", 'alternatives are separated by ||: write it instead of "or"'],
    ["1|2", 'there is a single | in "1|2": write || for alternatives'],
    ["V1.2.3", 'the version "V1.2.3" begins with V: write a v or leave it out'],
    ["1.2x", '"1.2x" mixes a wildcard into a number: write it as in 1.x or 1.2.x'],
    [
      ">=1 - 2",
      'a hyphen range of ">=1 - 2" cannot be read: write it as in 1.2 - 1.4, with a comma between it and other comparisons',
    ],
    ["1.2.3.4", 'a version of "1.2.3.4" has more than three numbers: leave ".4" out'],
    ["1.2.3-01", 'cannot read "1.2.3-01": the pre-release number "01" has a leading zero: write 1'],
    [
      "18446744073709551616.x",
      'cannot read "18446744073709551616.x": the major number "18446744073709551616" is larger than 18446744073709551615',
    ],
    ["latest", 'cannot read "latest" in "latest": write comparisons such as >=1.0.0, <2.0.0'],
  ] as const)("%j", ([text, reason]) => {
    expect(parseConstraint(text)).toBe(reason);
  });

  test("a constraint that is too long, or has too many alternatives", () => {
    expect(parseConstraint("1".repeat(513))).toBe("the constraint has 513 characters: at most 512 are read");
    expect(parseConstraint("1||".repeat(32))).toBe("the constraint has more than 32 alternatives: use fewer ||");
  });
});
