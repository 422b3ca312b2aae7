import { describe, expect, test } from "vitest";
import { inRange, parseRange } from "./blang-range.ts";
import { parseVersion, type Version } from "./version.ts";

function contains(text: string, version: string): boolean {
  const range = parseRange(text);
  if (typeof range === "string") throw new Error(range);
  return inRange(range, parseVersion(version) as Version);
}

test("a range is plain data", () => {
  const version = { major: 1, minor: 2, patch: 0, pre: [], build: [] };
  expect(parseRange("<1.2.0 || 1.2.x")).toEqual({
    text: "<1.2.0 || 1.2.x",
    anyOf: [
      [{ operator: "<", version }],
      [
        { operator: ">=", version },
        { operator: "<", version: { ...version, minor: 3 } },
      ],
    ],
  });
});

describe("what surprises, as in the original", () => {
  test.for([
    ["<2.0.0", "2.0.0-alpha", true, "pre-releases are ordinary versions"],
    [">=1.0.0", "1.0.0-rc1", false, "and below their release"],
    ["1.0.0 - 2.0.0", "1.5.0", false, "a lone hyphen is dropped, two equalities remain"],
    ["! 1.0.0", "1.0.0", true, "a lone ! is dropped"],
    [">=1.0.0 1", "1.5.0", true, "and so is a lone digit"],
    ["!=1.x", "2.5.0", false, "below 1.0.0 and from 2.0.0 on at once"],
    ["1.x.x", "1.1.0", false, "covers 1.0 only"],
    ["^1.x", "1.5.0", false, "an unknown operator before a wildcard is forgotten"],
    ["^1.x", "1.0.0", true, "and equality remains"],
    [">=1.0.0-rc.xyz", "1.0.0-rc.0yz", true, "the x of a pre-release becomes 0"],
  ] as const)("%s contains %s: %s (%s)", ([range, version, expected]) => {
    expect(contains(range, version)).toBe(expected);
  });
});

describe("reasons state what to write", () => {
  test.for([
    ["", "the range is empty: write >=0.0.0 to allow every release"],
    ["*", 'the wildcard in "*" has no number before it: write >=0.0.0 to allow every release'],
    ["1", 'the range "1" has no comparison: write one such as >=1.0.0'],
    ["1.0.0 ||", 'there is nothing after the last || of "1.0.0 ||": remove it or write a comparison there'],
    ["|| 1.0.0", 'there is nothing before the first || of "|| 1.0.0": remove it or write a comparison there'],
    [
      "1.0.0 || || 2.0.0",
      'two || of "1.0.0 || || 2.0.0" have no comparison between them: remove one or write a comparison there',
    ],
    ["1.0.0||2.0.0", '"1.0.0||2.0.0" has no spaces around ||: write 1.0.0 || 2.0.0'],
    ["> || 1.0.0", "the operator > has no version after it: write one, such as >1.0.0"],
    ["^1.2.3", "the operator ^ is not known: write >=1.2.3 <2.0.0"],
    ["^0.2", "the operator ^ is not known: write >=0.2.0 <0.3.0"],
    ["^0.0.3", "the operator ^ is not known: write >=0.0.3 <0.0.4"],
    ["~1.2.3", "the operator ~ is not known: write >=1.2.3 <1.3.0"],
    ["~>1", "the operator ~> is not known: write >=1.0.0 <2.0.0"],
    [">=1.0.0, <2.0.0", "a comma cannot separate comparisons: write >=1.0.0 <2.0.0"],
    ["1.2 - 1.4", "a hyphen does not make a range: write >=1.2.0 <1.5.0"],
    [">=v1.2.3", '">=v1.2.3" has a v before the version: write >=1.2.3'],
    ["1.*", "the wildcard * is not known: write 1.x"],
    [">=1.X.X", "the wildcard X is not known: write >=1.x"],
    [">=1.0.0<2.0.0", '">=1.0.0<2.0.0" is two comparisons in one: write >=1.0.0 <2.0.0'],
    [
      ">=1.0.0\n",
      'the range ">=1.0.0\\n" has white space that is not a space, such as a tab or a line end: write spaces',
    ],
    [">=1.0.0 && <2.0.0", 'comparisons are joined by a space alone: remove "&&"'],
    ["1.0.0 or 2.0.0", 'alternatives are separated by ||: write it instead of "or"'],
    ["(>=1.0.0)", '"(>=1.0.0)" contains the character (: leave it out'],
    ["=>1.0.0", 'the operator "=>" is not known: write >='],
    [">=", "the operator >= has no version after it: write one, such as >=1.0.0"],
    [">=1.0.0<", '">=1.0.0<" is two comparisons in one: write a space between them'],
    ["^18446744073709551615.0.0", "the operator ^ is not known: write two comparisons, such as >=1.2.3 <2.0.0"],
    [">=1.2", 'cannot read ">=1.2": the version "1.2" lacks its patch number: write 1.2.0'],
    [
      ">1.0.0-xyz",
      'the letter x in ">1.0.0-xyz" is read as a wildcard: only >= and < can be used before such a version',
    ],
    ["1.x.3", 'the wildcard in "1.x.3" is not at the end of the version: write it as in 1.x or 1.2.x'],
    ["01.x", 'cannot read "01.x": the major number "01" has a leading zero: write 1'],
    ["9223372036854775807.x", 'a number before the wildcard in "9223372036854775807.x" is too large'],
  ] as const)("%j", ([text, reason]) => {
    expect(parseRange(text)).toBe(reason);
  });

  test("a range that is too long", () => {
    expect(parseRange(">".repeat(1025))).toBe("the range has 1025 characters: at most 1024 are read");
  });
});
