// How is a function called whose second argument is a regular expression?
import { compileEffort } from "../../../regex/effort.ts";
import { type BadPattern, compileRegex, type Regex } from "../../../regex/regex.ts";
import type { Call, Prepare, Running } from "../../library.ts";
import { describeValue } from "../../value/describe.ts";
import { CelError } from "../../value/value.ts";

/** A call that is given the compiled pattern, and then the other arguments; a pattern in the expression is compiled once. */
export function withPattern(
  use: Call,
  mostGroups: number = Number.POSITIVE_INFINITY,
): { readonly call: Call; readonly prepare: Prepare } {
  return {
    call: (text, pattern, ...others) => {
      const running = others.at(-1) as Running;
      const regex = compiledNow(pattern, running);
      const mistake = whyNot(pattern, regex, mostGroups);
      if (mistake !== undefined) return new CelError(mistake);
      running.work(text.length * searchWork(regex as Regex));
      return use(regex, text, ...others);
    },
    prepare: {
      argument: 1,
      specialise: (pattern) => {
        const regex = literalPattern(pattern as string, mostGroups);
        if ("mistake" in regex) return regex;
        const each = searchWork(regex);
        return (text, _pattern, ...others) => {
          (others.at(-1) as Running).work(text.length * each);
          return use(regex, text, ...others);
        };
      },
    },
  };
}

/** A pattern that is written in the expression. */
export function literalPattern(pattern: string, mostGroups: number = Number.POSITIVE_INFINITY): Regex | BadPattern {
  const regex = compileRegex(pattern);
  const mistake = whyNot(pattern, regex, mostGroups);
  return mistake === undefined ? regex : { mistake };
}

/** Patterns kept for the time of an evaluation. */
const MAX_KEPT = 64;

/** A pattern that is computed at run time. Compiling it counts as work, whether or not it is cached. */
function compiledNow(pattern: string, running: Running): Regex | BadPattern {
  const { patterns } = running;
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const regex = compileRegex(pattern);
  running.work(compileEffort(pattern, regex));
  if (patterns.size < MAX_KEPT) patterns.set(pattern, regex);
  return regex;
}

/** The work for each character of a text, at worst. */
export function searchWork({ size }: Regex): number {
  return 1 + Math.ceil(size / 16);
}

/** What is wrong with the pattern, with the pattern itself. */
function whyNot(pattern: string, regex: Regex | BadPattern, mostGroups: number): string | undefined {
  const mistake =
    "mistake" in regex
      ? regex.mistake
      : regex.groups > mostGroups
        ? `it has more than ${mostGroups === 1 ? "one group" : `${mostGroups} groups`}`
        : undefined;
  return mistake && `${describeValue(pattern)} cannot be used as a regular expression: ${mistake}`;
}
