// What can be asked of a string?
import type { Regex } from "../../../regex/regex.ts";
import { containsCost, costOfTraversing, matchCost, traversalCost } from "../../cost/size.ts";
import {
  type CallDetails,
  type CallEstimate,
  globalFunction,
  memberFunction,
  type Overload,
  type Running,
  type SizeEstimate,
} from "../../library.ts";
import { BOOL, STRING } from "../../type.ts";
import type { Value } from "../../value/value.ts";
import { literalPattern, searchWork, withPattern } from "../extension/with-pattern.ts";

type Sized = { readonly size: SizeEstimate };

const { call: matches } = withPattern((regex: Regex, text: string) => regex.matches(text));

const matching: CallDetails = {
  cost: ([text, pattern], running) => matchCost(text as Value, pattern as Value, running),
  estimate: ([text, pattern]): CallEstimate => ({
    cost: {
      min: 0,
      max: product(Math.ceil((1 + (text as Sized).size.max) * 0.1), Math.ceil((pattern as Sized).size.max * 0.25)),
    },
  }),
  prepare: {
    argument: 1,
    specialise: (pattern) => {
      const regex = literalPattern(pattern as string);
      if ("mistake" in regex) return regex;
      const each = searchWork(regex);
      return (text: string, _pattern: string, running: Running) => {
        running.work(text.length * each);
        return regex.matches(text);
      };
    },
  },
};

/** Zero times anything is zero, also times infinity. */
function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

const byArgument: CallDetails = {
  cost: ([, part], running) => costOfTraversing(part as Value, running),
  estimate: ([, part]) => ({
    cost: { min: traversalCost((part as Sized).size.min), max: traversalCost((part as Sized).size.max) },
  }),
};

const containing: CallDetails = {
  cost: ([text, part], running) => containsCost(text as Value, part as Value, running),
  estimate: ([text, part]) => ({
    cost: { min: 0, max: product(traversalCost((text as Sized).size.max), traversalCost((part as Sized).size.max)) },
  }),
};

/** `contains`, `startsWith`, `endsWith`, `matches` */
export const stringFunctions: readonly Overload[] = [
  memberFunction(
    "contains",
    "contains_string",
    [STRING, STRING],
    BOOL,
    (text: string, part: string) => text.includes(part),
    containing,
  ),
  memberFunction(
    "startsWith",
    "starts_with_string",
    [STRING, STRING],
    BOOL,
    (text: string, part: string) => text.startsWith(part),
    byArgument,
  ),
  memberFunction(
    "endsWith",
    "ends_with_string",
    [STRING, STRING],
    BOOL,
    (text: string, part: string) => text.endsWith(part),
    byArgument,
  ),
  memberFunction("matches", "matches_string", [STRING, STRING], BOOL, matches, matching),
  globalFunction("matches", "matches", [STRING, STRING], BOOL, matches, matching),
];
