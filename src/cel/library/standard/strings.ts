// What can be asked of a string?
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
import { CelError, type Result, type Value } from "../../value/value.ts";
import { compiled, compileWork } from "../extension/with-pattern.ts";

type Sized = { readonly size: SizeEstimate };

function matches(text: string, pattern: string, running: Running): Result {
  const regex = compiled(pattern);
  if ("mistake" in regex) return new CelError(regex.mistake);
  running.work(compileWork(regex));
  return regex.matches(text);
}

const matching: CallDetails = {
  cost: ([text, pattern]) => matchCost(text as Value, pattern as Value),
  estimate: ([text, pattern]): CallEstimate => ({
    cost: {
      min: 0,
      max: product(Math.ceil((1 + (text as Sized).size.max) * 0.1), Math.ceil((pattern as Sized).size.max * 0.25)),
    },
  }),
  prepare: {
    argument: 1,
    specialise: (pattern) => {
      const regex = compiled(pattern as string);
      return "mistake" in regex ? regex : (text: string) => regex.matches(text);
    },
  },
};

/** Zero times anything is zero, also times infinity. */
function product(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}

const byArgument: CallDetails = {
  cost: ([, part]) => costOfTraversing(part as Value),
  estimate: ([, part]) => ({
    cost: { min: traversalCost((part as Sized).size.min), max: traversalCost((part as Sized).size.max) },
  }),
};

const containing: CallDetails = {
  cost: ([text, part]) => containsCost(text as Value, part as Value),
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
