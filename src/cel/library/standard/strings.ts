// Which functions of the language definition take strings?
import type { Regex } from "../../../regex/regex.ts";
import { largest, product, sizeAt, traversal } from "../../cost/range.ts";
import { containsCost, costOfTraversing, matchCost, traversalCost } from "../../cost/size.ts";
import { type CallDetails, globalFunction, memberFunction, type Overload, type Running } from "../../library.ts";
import { BOOL, STRING } from "../../type.ts";
import type { Value } from "../../value/value.ts";
import { literalPattern, searchWork, withPattern } from "../extension/with-pattern.ts";

const { call: matches } = withPattern((regex: Regex, text: string) => regex.matches(text));

const matching: CallDetails = {
  cost: ([text, pattern], running) => matchCost(text as Value, pattern as Value, running),
  estimate: (args) => ({
    cost: { min: 0, max: product(traversalCost(1 + largest(args, 0)), Math.ceil(largest(args, 1) * 0.25)) },
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

const byArgument: CallDetails = {
  cost: ([, part], running) => costOfTraversing(part as Value, running),
  estimate: (args) => ({ cost: traversal(sizeAt(args, 1)) }),
};

const containing: CallDetails = {
  cost: ([text, part], running) => containsCost(text as Value, part as Value, running),
  estimate: (args) => ({
    cost: { min: 0, max: product(traversalCost(largest(args, 0)), traversalCost(largest(args, 1))) },
  }),
};

const contains = (text: string, part: string): boolean => text.includes(part);
const startsWith = (text: string, part: string): boolean => text.startsWith(part);
const endsWith = (text: string, part: string): boolean => text.endsWith(part);

/** `contains`, `startsWith`, `endsWith`, `matches` */
export const stringFunctions: readonly Overload[] = [
  memberFunction("contains", "contains_string", [STRING, STRING], BOOL, contains, containing),
  memberFunction("startsWith", "starts_with_string", [STRING, STRING], BOOL, startsWith, byArgument),
  memberFunction("endsWith", "ends_with_string", [STRING, STRING], BOOL, endsWith, byArgument),
  memberFunction("matches", "matches_string", [STRING, STRING], BOOL, matches, matching),
  globalFunction("matches", "matches", [STRING, STRING], BOOL, matches, matching),
];
