// How is a function called whose second argument is a regular expression?
import { compileRegex, type Regex } from "../../../regex/regex.ts";
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
      const regex = compiled(pattern, mostGroups);
      if ("mistake" in regex) return new CelError(regex.mistake);
      const running = others.at(-1) as Running;
      running.work(compileWork(regex) + searchWork(regex, text));
      return use(regex, text, ...others);
    },
    prepare: {
      argument: 1,
      specialise: (pattern) => {
        const regex = compiled(pattern as string, mostGroups);
        if ("mistake" in regex) return regex;
        return (text, _pattern, ...others) => {
          (others.at(-1) as Running).work(searchWork(regex, text));
          return use(regex, text, ...others);
        };
      },
    },
  };
}

/** What compiling a pattern takes, when it is not known before the expression runs. */
export function compileWork({ size }: Regex): number {
  return 4 * size;
}

/** What searching a text takes at worst. */
function searchWork({ size }: Regex, text: string): number {
  return text.length * (1 + Math.ceil(size / 16));
}

/** The pattern ready to match, or what is wrong with it, with the pattern itself. */
export function compiled(
  pattern: string,
  mostGroups: number = Number.POSITIVE_INFINITY,
): Regex | { readonly mistake: string } {
  const regex = compileRegex(pattern);
  if (!("mistake" in regex) && regex.groups <= mostGroups) return regex;
  const mistake =
    "mistake" in regex ? regex.mistake : `it has more than ${mostGroups === 1 ? "one group" : `${mostGroups} groups`}`;
  return { mistake: `${describeValue(pattern)} cannot be used as a regular expression: ${mistake}` };
}
