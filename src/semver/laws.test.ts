/** Which laws hold for all versions and ranges? Seeds are fixed, so a run can be repeated. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inRange, parseRange } from "./blang-range.ts";
import { parseConstraint, satisfies } from "./masterminds-range.ts";
import { parseClusterVersion, parseTolerant } from "./tolerant.ts";
import { compareVersions, compareWithBuild, parseVersion, printVersion, type Version } from "./version.ts";

const RUNS = { seed: 20, numRuns: 500 };

function good<T>(parsed: T | string): T {
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
}

const number = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 3 }).map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String) },
  { weight: 1, arbitrary: fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }).map(String) },
);
const word = fc.string({ unit: fc.constantFrom(..."abxzAZ019-"), minLength: 1, maxLength: 4 });
const isNumeric = (text: string): boolean => /^[0-9]+$/.test(text);
const identifier = fc.oneof(
  number,
  word.map((text) => (isNumeric(text) ? `${text}a` : text)),
);
const dotted = (part: fc.Arbitrary<string>, sign: string): fc.Arbitrary<string> =>
  fc.array(part, { maxLength: 3 }).map((parts) => (parts.length === 0 ? "" : sign + parts.join(".")));
const versionText = fc
  .tuple(number, number, number, dotted(identifier, "-"), dotted(word, "+"))
  .map(([major, minor, patch, pre, build]) => `${major}.${minor}.${patch}${pre}${build}`);
const version = versionText.map((text) => good(parseVersion(text)));
const release = version.map((v): Version => ({ ...v, pre: [], build: [] }));

/** x is left out, since blang reads it as a wildcard at every position. */
const bound = versionText.filter((text) => !text.includes("x"));

/** Text of all kinds: any characters, and those that ranges are made of. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."0019xX*.-+|<>=!~^, v\t\r\f\u00a0٣"), maxLength: 24 }),
  fc.tuple(versionText, fc.string({ maxLength: 3 })).map(([a, b]) => a + b),
);

describe("versions", () => {
  test("reading what was printed gives the same version", () => {
    fc.assert(
      fc.property(versionText, (text) => {
        const read = good(parseVersion(text));
        expect(printVersion(read)).toBe(text);
        expect(parseVersion(printVersion(read))).toEqual(read);
      }),
      RUNS,
    );
  });

  test.for([
    ["compareVersions", compareVersions],
    ["compareWithBuild", compareWithBuild],
  ] as const)("%s is a total order", ([, compare]) => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compare(a, a)).toBe(0);
        expect(compare(a, b) + compare(b, a)).toBe(0);
        const [low, middle, high] = [a, b, c].sort(compare) as [Version, Version, Version];
        expect(compare(low, middle)).toBeLessThanOrEqual(0);
        expect(compare(middle, high)).toBeLessThanOrEqual(0);
        expect(compare(low, high)).toBe(Math.min(compare(low, middle), compare(middle, high)));
      }),
      RUNS,
    );
  });

  test("compareWithBuild refines precedence and is 0 for equal text only", () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        const order = compareVersions(a, b);
        if (order !== 0) expect(compareWithBuild(a, b)).toBe(order);
        expect(compareWithBuild(a, b) === 0).toBe(printVersion(a) === printVersion(b));
      }),
      RUNS,
    );
  });

  test("what is strict means the same when read tolerantly", () => {
    fc.assert(
      fc.property(versionText, (text) => {
        expect(parseTolerant(text)).toEqual(parseVersion(text));
        expect(parseTolerant(` v${text}\n`)).toEqual(parseVersion(text));
      }),
      RUNS,
    );
  });

  test("a cluster's version keeps the numbers, and loses no text", () => {
    fc.assert(
      fc.property(versionText, (text) => {
        const strict = good(parseVersion(text));
        const read = good(parseClusterVersion(`v${text}`));
        expect({ ...read, pre: [], build: [] }).toEqual({ ...strict, pre: [], build: [] });
        expect(printVersion(read).replace(/[-+.]/g, "")).toBe(text.replace(/[-+.]/g, ""));
      }),
      RUNS,
    );
  });
});

describe("blang ranges", () => {
  const contains = (range: string, v: Version): boolean => inRange(good(parseRange(range)), v);

  test.for([
    ["<", ">="],
    [">", "<="],
    ["=", "!="],
    ["", "!"],
  ] as const)("%j and %j part all versions in two", ([operator, negation]) => {
    fc.assert(
      fc.property(bound, version, (text, v) => {
        expect(contains(operator + text, v)).toBe(!contains(negation + text, v));
      }),
      RUNS,
    );
  });

  test("a space is AND, || is OR", () => {
    const comparison = fc.tuple(fc.constantFrom("<", "<=", ">", ">=", "=", "!="), bound).map((parts) => parts.join(""));
    fc.assert(
      fc.property(comparison, comparison, version, (a, b, v) => {
        expect(contains(`${a} ${b}`, v)).toBe(contains(a, v) && contains(b, v));
        expect(contains(`${a} || ${b}`, v)).toBe(contains(a, v) || contains(b, v));
      }),
      RUNS,
    );
  });

  test("a wildcard is everything from 0 on up to the next number", () => {
    fc.assert(
      fc.property(fc.nat({ max: 4 }), fc.nat({ max: 4 }), version, (major, minor, v) => {
        expect(contains(`${major}.x`, v)).toBe(contains(`>=${major}.0.0 <${major + 1}.0.0`, v));
        expect(contains(`${major}.${minor}.x`, v)).toBe(contains(`>=${major}.${minor}.0 <${major}.${minor + 1}.0`, v));
      }),
      RUNS,
    );
  });

  test.for(["^", "~"])("what is advised instead of %s contains the version that was written", (operator) => {
    fc.assert(
      fc.property(bound, (text) => {
        const advice = String(parseRange(operator + text)).split(": write ")[1] ?? "";
        const isGeneral = advice.startsWith("two comparisons") && text.includes("18446744073709551615");
        expect(isGeneral || contains(advice, good(parseVersion(text)))).toBe(true);
      }),
      RUNS,
    );
  });
});

describe("masterminds constraints", () => {
  const allows = (constraint: string, v: Version): boolean => satisfies(good(parseConstraint(constraint)), v);

  test.for([
    ["<", ">="],
    [">", "<="],
    ["=", "!="],
  ] as const)("%j and %j part all releases in two", ([operator, negation]) => {
    fc.assert(
      fc.property(versionText, release, (text, v) => {
        expect(allows(operator + text, v)).toBe(!allows(negation + text, v));
      }),
      RUNS,
    );
  });

  test("a pre-release needs a constraint that names one", () => {
    const operator = fc.constantFrom("", "!=", ">", ">=", "<", "<=", "~", "^");
    fc.assert(
      fc.property(operator, release, version, (sign, named, v) => {
        if (v.pre.length > 0) expect(allows(sign + printVersion(named), v)).toBe(false);
      }),
      RUNS,
    );
  });

  test("~ allows nothing that ^ does not, from 1.0.0 on", () => {
    fc.assert(
      fc.property(versionText, version, (text, v) => {
        if (!text.startsWith("0.") && allows(`~${text}`, v)) expect(allows(`^${text}`, v)).toBe(true);
      }),
      RUNS,
    );
  });
});

test.for([
  ["parseVersion", parseVersion],
  ["parseTolerant", parseTolerant],
  ["parseClusterVersion", parseClusterVersion],
  ["parseRange", parseRange],
  ["parseConstraint", parseConstraint],
] as const)("%s never throws; its reason is one line that begins in lower case", ([, parse]) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const result: unknown = parse(text);
      if (typeof result === "string") expect(result).toMatch(/^["a-z]\P{Cc}+[^.]$/u);
      else expect(structuredClone(result)).toEqual(result);
    }),
    { ...RUNS, numRuns: 3000 },
  );
});
