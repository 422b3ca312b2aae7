// Do regular expressions match as in RE2, in linear time, with an error message if they cannot be used?
import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { compileRegex, type Regex } from "./regex.ts";

function regex(pattern: string): Regex {
  const compiled = compileRegex(pattern);
  if ("mistake" in compiled) throw new Error(`${pattern}: ${compiled.mistake}`);
  return compiled;
}

function mistake(pattern: string): string | undefined {
  const compiled = compileRegex(pattern);
  return "mistake" in compiled ? compiled.mistake : undefined;
}

/** The texts of the matches. */
function found(pattern: string, text: string, most?: number): string[] {
  return regex(pattern)
    .findAll(text, most)
    .map(([begin, end]) => text.slice(begin, end));
}

describe("a match", () => {
  it.each<[pattern: string, text: string, matches: boolean]>([
    ["^1\\.(14|15)\\.\\d+$", "1.15.3", true],
    ["^1\\.(14|15)\\.\\d+$", "1.16.3", false],
    ["^1\\.(14|15)\\.\\d+$", "1.15.3\n", false],
    ["east", "us-east-1", true],
    ["^east", "us-east-1", false],
    ["", "", true],
    ["^.$", "😀", true],
    ["^..$", "😀", false],
    ["^\\w$", "é", false],
    ["(?i)k", "\u212a", true],
    ["^[^a]$", "\ud800", true],
    ["\\bfoo\\b", "a foo", true],
    ["\\bfoo\\b", "afoo", false],
    ["(?m)^b$", "a\nb\nc", true],
  ])("%s in %j: %s", (pattern, text, matches) => {
    expect(regex(pattern).matches(text)).toBe(matches);
  });

  it("is the leftmost, and the first alternative that works", () => {
    expect(found("a|ab", "xabab")).toEqual(["a", "a"]);
    expect(found("(a+?)(b*)", "aabb")).toEqual(["a", "abb"]);
    expect(regex("(a)|(b)").find("xb")).toEqual([1, 2, -1, -1, 1, 2]);
    expect(regex("(a)|(b)").find("c")).toBeUndefined();
    expect(regex("(a)|((b))").groups).toBe(3);
  });

  it("is not empty directly after another", () => {
    expect(found("a*", "baac")).toEqual(["", "aa", ""]);
    expect(found("", "😀a")).toEqual(["", "", ""]);
  });

  it("can be asked for a number of times", () => {
    expect(found("\\d", "1 2 3", 2)).toEqual(["1", "2"]);
    expect(found("\\d", "1 2 3", 0)).toEqual([]);
  });
});

describe("a mistake", () => {
  it.each([
    ["a)", "the ) at character 2 closes nothing"],
    ["(a", "the ( at character 1 is never closed"],
    ["((a)", "the ( at character 1 is never closed"],
    ["😀[a", "the [ at character 2 is never closed"],
    ["a\\", "it ends in a \\ that escapes nothing"],
    ["a|*", "there is nothing for * at character 3 to repeat"],
    ["a*|*", "there is nothing for * to repeat"],
    ["a**", "** at character 2 repeats a repetition; put the inner one in parentheses"],
    [
      "a{1001}",
      "{1001} at character 2 is not a number of repetitions from 0 to 1000, counted together with those around and inside",
    ],
    ["\\y", "\\y at character 1 is no escape of RE2"],
    ["(a)\\1", "\\1 at character 4 is no escape of RE2, which has no references to groups"],
    ["[z-a]", "z-a at character 2 is no range or class of characters"],
    ["\\p{Foo}", "\\p{Foo} at character 1 is no range or class of characters"],
    ["(?P<n!>a)", "(?P<n!> at character 1 is no name of a group; letters, digits and _ make one"],
    ["(?P<n>a)(?P<n>b)", "two groups have the name n"],
    ["(?=a)", "(?= at character 1 is not known to RE2, which cannot look ahead or behind"],
    ["b(?<!a)", "(?<! at character 2 is not known to RE2, which cannot look ahead or behind"],
    ["(?z)", "(?z at character 1 is not known to RE2"],
    [`${"(".repeat(1100)}${")".repeat(1100)}`, "its parentheses are nested too deeply"],
    ["a{1000}{1000}", "it becomes larger than 5000 steps when its repetitions are written out"],
    ["a{1000}".repeat(1400), "it becomes larger than 5000 steps when its repetitions are written out"],
    ["\\pL".repeat(3000), "it becomes larger than 5000 steps when its repetitions are written out"],
    ["a".repeat(10_001), "it is longer than 10000 characters"],
  ])("in %.40s", (pattern, expected) => {
    expect(mistake(pattern)).toBe(expected);
    expect(mistake(pattern)).toBe(expected); // the second time from memory
  });
});

const ATOMS = [
  ..."abckS1-_.^$é😀",
  ...[
    "",
    "ab",
    "\\d",
    "\\w",
    "\\s",
    "\\D",
    "\\W",
    "[ab]",
    "[^a]",
    "[a-c]",
    "[^\\n]",
    "\\.",
    "[é-ü]",
    "[^😀]",
    "\\pL",
    "\\b",
    "\\B",
  ],
  ...["\\A", "\\z", "\\n", "(?i:k)", "(?i:s)", "(?m:^)", "(?m:$)", "(?s:.)", "[[:alpha:]]"],
];
const REPEATS = ["", "?", "*", "+", "??", "*?", "+?", "{2}", "{0,2}", "{1,3}?", "{2,}"];

const patterns = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, depthIdentifier: "pattern" },
    fc.constantFrom(...ATOMS),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie("pattern"), fc.constantFrom(...REPEATS)).map(([a, repeat]) => `(${a})${repeat}`),
    fc.tuple(tie("pattern"), fc.constantFrom(...REPEATS)).map(([a, repeat]) => `(?:${a})${repeat}`),
    fc.tuple(fc.constantFrom("(?i)", "(?s)", "(?m)", "(?U)"), tie("pattern")).map(([flag, a]) => flag + a),
  ),
})).pattern;

const texts = fc
  .array(fc.constantFrom(..."abckKsS12.-_ \néü😀\u017f\u212a", "\ud83d", "\ude00"), { maxLength: 9 })
  .map((characters) => characters.join(""));

describe("laws", () => {
  it("finds what re2js's own engines find, groups included", () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 1, maxLength: 3 }), (pattern, some) => {
        const own = regex(pattern);
        const reference = RE2JS.compile(pattern).re2();
        for (const text of some) {
          expect(own.findAll(text)).toEqual(reference.findAllSubmatchIndex(text, -1) ?? []);
          expect(own.matches(text)).toBe(reference.match(text));
        }
      }),
      { seed: 1, numRuns: 4000 },
    );
  });

  it("finds in a long text what it finds in a short one, across windows of states", () => {
    const part = "x1 é😀 22 ab\n";
    const text = part.repeat(400);
    for (const pattern of ["\\d+", "[^ ]+", "(?m)^\\w", "\\b", "a|b$", "(é|😀)+"]) {
      expect(regex(pattern).findAll(text)).toEqual(RE2JS.compile(pattern).re2().findAllSubmatchIndex(text, -1));
    }
  });

  it("gives the same with states that do not fit in memory", () => {
    let random = 1;
    const text = Array.from({ length: 3000 }, () => {
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
      return random >>> 31 === 0 ? "a" : "b";
    }).join("");
    for (const pattern of ["b.{200}a.{200}b", "(?:a.{90}b|b.{70}a){3}"]) {
      expect(regex(pattern).findAll(text)).toEqual(RE2JS.compile(pattern).re2().findAllSubmatchIndex(text, -1));
    }
  });
});

describe("damaged patterns", () => {
  it("are refused exactly when re2js refuses them", () => {
    const piece = fc.constantFrom(
      ..."ab()[]{}*+?|^$\\,.-:<>PQEpx01",
      "(?",
      "\\p{",
      "{2}",
      "[[:",
      ":]]",
      "\\Q",
      "\\E",
      "😀",
    );
    const damaged = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(damaged, (pattern) => {
        fc.pre(!pattern.includes("[:]")); // re2js takes the : for both ends of a class, other than Go
        let refused = false;
        try {
          RE2JS.compile(pattern);
        } catch {
          refused = true;
        }
        expect(mistake(pattern) !== undefined).toBe(refused);
      }),
      { seed: 1, numRuns: 5000 },
    );
  });
});

describe("hostile patterns and texts", () => {
  it.each([
    ["a*b|a", "a".repeat(200_000), true],
    ["^(a+)+$", `${"a".repeat(200_000)}b`, false],
    ["(?:(?:a*)*)*x", "a".repeat(100_000), false],
    [".*".repeat(1000), "a".repeat(20_000), true],
    ["(?:aaa|bbb)", "b".repeat(300_000), true],
  ])("%.20s does not multiply the work: backtracking would not end", (pattern, text, matches) => {
    expect(regex(pattern).matches(text)).toBe(matches);
    expect(regex(pattern).findAll(text).length > 0).toBe(matches);
  });

  it.each([
    "(?i)[\\x{100}-\\x{10ffff}]".repeat(100),
    `(?i)[${"\\PL".repeat(240)}]`,
    `${"(?:".repeat(990)}a?${")*".repeat(990)}`,
    "(?:a*)*".repeat(1000),
  ])("%.20s is compiled at once", (pattern) => {
    expect(regex(pattern).matches("\u{20000}b".repeat(1000))).toBe(pattern.includes("*"));
  });

  it.each(["a{1000}{1000}", "(?:a{900}){900}", "a{1000}".repeat(1400), "[".repeat(9999), "(".repeat(9999)])(
    "%.20s is refused",
    (pattern) => {
      expect(mistake(pattern)).toBeDefined();
    },
  );
});
