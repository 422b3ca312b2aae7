import { describe, expect, test } from "vitest";
import { compareVersions, compareWithBuild, parseVersion, printVersion, type Version } from "./version.ts";

function version(text: string): Version {
  const parsed = parseVersion(text);
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
}

describe("parseVersion", () => {
  test("numbers, pre-release and build metadata", () => {
    expect(parseVersion("1.2.3-rc.1+b.07")).toEqual({
      major: 1,
      minor: 2,
      patch: 3,
      pre: ["rc", 1],
      build: ["b", "07"],
    });
  });

  test("a number that is not exact as a number is a bigint", () => {
    expect(version("9007199254740991.9007199254740992.18446744073709551615")).toMatchObject({
      major: 9007199254740991,
      minor: 9007199254740992n,
      patch: 18446744073709551615n,
    });
    expect(version("1.0.0-9007199254740991.9007199254740993").pre).toEqual([9007199254740991, 9007199254740993n]);
  });

  test.for([
    ["", "the version is empty: write three numbers, such as 1.0.0"],
    ["v1.2.3", 'the version "v1.2.3" begins with v: write 1.2.3'],
    ["v1.2-rc1", 'the version "v1.2-rc1" begins with v: write 1.2.0-rc1'],
    [" 1.2.3", 'the version " 1.2.3" has spaces around it: write 1.2.3'],
    ["1.2.3\u00a0", 'the version "1.2.3\\u00a0" has spaces around it: write 1.2.3'],
    ["1", 'the version "1" lacks its minor and patch numbers: write 1.0.0'],
    ["1.2+b", 'the version "1.2+b" lacks its patch number: write 1.2.0+b'],
    ["1.2.3.4", 'the version "1.2.3.4" has more than three numbers: write 1.2.3'],
    ["1..3", "the minor number is missing: write 0 when there is none"],
    ["1.02.3", 'the minor number "02" has a leading zero: write 2'],
    ["1.b.3", 'the minor number "b" is not a number'],
    ["1.2.x", 'the patch number "x" is a wildcard, which only a range may have'],
    ["1.2.3rc1", 'the patch number "3rc1" is not a number: write a hyphen after the 3 if a pre-release follows'],
    ["1.2.18446744073709551616", 'the patch number "18446744073709551616" is larger than 18446744073709551615'],
    ["1.2.3-", "the pre-release is empty: write something or leave its sign out"],
    ["1.2.3-a..b", 'the pre-release "a..b" has an empty part: remove a dot'],
    ["1.2.3-01", 'the pre-release number "01" has a leading zero: write 1'],
    ["1.2.3+a_b", 'the build metadata "a_b" contains the character "_": only letters, digits and hyphens are allowed'],
  ] as const)("refuses %j", ([text, reason]) => {
    expect(parseVersion(text)).toBe(reason);
  });

  test("refuses what is too long", () => {
    expect(parseVersion(`1.2.3-${"a".repeat(2000)}`)).toBe("the version has 2006 characters: at most 1024 are read");
  });
});

test("precedence ignores build metadata, compareWithBuild does not", () => {
  expect(compareVersions(version("1.0.0+a"), version("1.0.0+b"))).toBe(0);
  const sorted = [
    "1.0.0-rc.1+z",
    "1.0.0",
    "1.0.0+1",
    "1.0.0+01",
    "1.0.0+2",
    "1.0.0+10",
    "1.0.0+10.a",
    "1.0.0+a",
    "1.0.1",
  ];
  const shuffled = [...sorted].reverse().map(version).sort(compareWithBuild).map(printVersion);
  expect(shuffled).toEqual(sorted);
});
