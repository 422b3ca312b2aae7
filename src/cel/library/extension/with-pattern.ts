// How is a function called whose second argument is a regular expression?
import { compileRegex, type Regex } from "../../../regex/regex.ts";
import type { Call, Prepare } from "../../library.ts";
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
      return "mistake" in regex ? new CelError(regex.mistake) : use(regex, text, ...others);
    },
    prepare: {
      argument: 1,
      specialise: (pattern) => {
        const regex = compiled(pattern as string, mostGroups);
        return "mistake" in regex ? regex : (text, _pattern, ...others) => use(regex, text, ...others);
      },
    },
  };
}

function compiled(pattern: string, mostGroups: number): Regex | { readonly mistake: string } {
  const regex = compileRegex(pattern);
  if (!("mistake" in regex) && regex.groups <= mostGroups) return regex;
  const mistake =
    "mistake" in regex ? regex.mistake : `it has more than ${mostGroups === 1 ? "one group" : `${mostGroups} groups`}`;
  return { mistake: `${describeValue(pattern)} cannot be used as a regular expression: ${mistake}` };
}
