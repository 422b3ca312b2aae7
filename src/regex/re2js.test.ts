// Are patterns read, refused and matched as by re2js, another RE2 in JavaScript?
import fc from "fast-check";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { expect, it } from "vitest";
import { compileRegex } from "./regex.ts";

const RUNS = process.env.PLIMSOLL_LONG ? 200_000 : 1500;

const ATOMS = [
  ..."abckS1-_.^$éßſ\u212a😀]}{",
  ...["", "ab", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\b", "\\B", "\\A", "\\z", "\\n", "\\t", "\\.", "\\-"],
  ...["\\x41", "\\x{1F600}", "\\101", "\\07", "\\Qa.b\\E", "\\Q*\\E", "\\Q", "a{", "x{2}", "a{,2}"],
  ...[
    "[ab]",
    "[^a]",
    "[a-c]",
    "[^\\n]",
    "[é-ü]",
    "[^😀]",
    "[]a]",
    "[^]a]",
    "[a\\-z]",
    "[\\d-z]",
    "[k-s]",
    "[\\x41-\\x43]",
  ],
  ...["[[:alpha:]]", "[[:^space:]]", "[[:word:]-]", "[^\\x00-\\x{10ffff}]", "[\\pN_]", "[^\\p{Lu}]"],
  ...["\\pL", "\\PL", "\\p{Greek}", "\\p{^Lu}", "\\P{Ll}", "\\p{Any}"],
  ...["(?i:k)", "(?i:s)", "(?i:ß)", "(?i:[k-s])", "(?i:[^k])", "(?i:\\W)", "(?i:[\\PL])", "(?i:\\p{Lu})"],
  ...["(?m:^)", "(?m:$)", "(?s:.)", "(?-i:k)", "(?i)", "(?-i)", "(?U)", "(?m)", "(?s)"],
];
const REPEATS = ["", "?", "*", "+", "??", "*?", "+?", "{2}", "{0,2}", "{1,3}?", "{2,}", "{0}", "{1}", "{0,}", "{0,1}"];

const sound = fc.letrec<{ pattern: string }>((tie) => {
  const two = fc.tuple(tie("pattern"), tie("pattern"));
  const repeated = fc.tuple(tie("pattern"), fc.constantFrom(...REPEATS));
  return {
    pattern: fc.oneof(
      { maxDepth: 4, depthIdentifier: "pattern" },
      fc.constantFrom(...ATOMS),
      two.map(([a, b]) => a + b),
      two.map(([a, b]) => `${a}|${b}`),
      two.map(([a, b]) => `(${a}|${b})`),
      two.map(([a, b]) => `(?i-s:${a}|${b})`),
      repeated.map(([a, repeat]) => `(${a})${repeat}`),
      repeated.map(([a, repeat]) => `(?:${a})${repeat}`),
      fc.tuple(fc.nat(99), tie("pattern")).map(([name, a]) => `(?P<n${name}>${a})`),
    ),
  };
}).pattern;

const PIECES = [
  ..."ab()[]{}*+?|^$\\,.-:<>PQEpx01iU=!",
  ...["(?", "\\p{", "{2}", "{1001}", "{2,1}", "[[:", ":]]", "\\Q", "\\E", "😀", "(?P<n>", "(?<", "\\x{", "\ud800"],
];

const changes = fc.array(fc.tuple(fc.nat(), fc.nat(1), fc.constantFrom("", ...PIECES)), { minLength: 1, maxLength: 3 });
const damaged = fc.tuple(sound, changes).map(([pattern, all]) => {
  const characters = Array.from(pattern);
  for (const [at, taken, piece] of all) characters.splice(at % (characters.length + 1), taken, piece);
  return characters.join("");
});

const texts = fc
  .array(fc.constantFrom(..."abckKsS12.-_ \t\néüßſẞ\u212a😀zαΑ", "\ud83d", "\ude00", "ab"), { maxLength: 9 })
  .map((characters) => characters.join(""));

/** What re2js says of the pattern, or the pattern that it compiled. */
function compiledByRe2js(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (refusal) {
    if (refusal instanceof RE2JSSyntaxException) return refusal.getDescription();
    throw refusal;
  }
}

/** Where re2js does not do what Go does: it takes no class by another spelling, and the : in [[:] for both ends of a class. */
function differsFromGo(pattern: string): boolean {
  return (
    pattern.includes("[:]") ||
    /\\[pP](?:[a-z]|\{[^}]*\})/.test(pattern.replace(/\\[pP]\{\^?(?:Greek|Lu|Ll|Any)\}/g, ""))
  );
}

/** What our sentences have in common with the descriptions of re2js. */
const SENTENCES: Readonly<Record<string, RegExp>> = {
  "missing closing )": /^the \( at character \d+ is never closed$/,
  "missing closing ]": /^the \[ at character \d+ is never closed$/,
  "unexpected )": /^the \) at character \d+ closes nothing$/,
  "trailing backslash at end of expression": /escapes nothing$/,
  "missing argument to repetition operator": /^there is nothing for .* to repeat$/su,
  "invalid nested repetition operator": /repeats a repetition|becomes larger/,
  "invalid repeat count": /is not a number of repetitions|becomes larger/,
  "invalid escape sequence": /is no escape of RE2/,
  "invalid character class range": /is no range or class of characters$/,
  "invalid named capture": /is no name of a group|cannot look ahead or behind$/,
  "duplicate capture group name": /^two groups have the name/,
  "invalid or unsupported Perl syntax": /is not known to RE2/,
};

it("takes the same patterns, finds the same matches with the same groups, and sees the same mistakes", () => {
  fc.assert(
    fc.property(
      fc.oneof({ weight: 3, arbitrary: sound }, { weight: 2, arbitrary: damaged }),
      fc.array(texts, { minLength: 1, maxLength: 3 }),
      (pattern, some) => {
        fc.pre(!differsFromGo(pattern));
        const own = compileRegex(pattern);
        const reference = compiledByRe2js(pattern);
        if ("mistake" in own || typeof reference === "string") {
          const mistake = "mistake" in own ? own.mistake : "none";
          expect(mistake).toMatch(
            SENTENCES[typeof reference === "string" ? reference : ""] ?? /becomes larger than 5000/,
          );
          return;
        }
        expect(own.groups).toBe(reference.groupCount());
        for (const text of some) {
          expect(own.findAll(text)).toEqual(reference.re2().findAllSubmatchIndex(text, -1) ?? []);
          expect(own.matches(text)).toBe(reference.re2().match(text));
        }
      },
    ),
    { numRuns: RUNS },
  );
});
