// What does a regular expression find in a text?
import type { Regex } from "../../../regex/regex.ts";
import { largest, upTo } from "../../cost/range.ts";
import {
  type Call,
  type CallDetails,
  type Library,
  memberFunction,
  type Overload,
  type Running,
} from "../../library.ts";
import { INT, listOf, STRING, type Type } from "../../type.ts";
import type { Result } from "../../value/value.ts";
import { withPattern } from "../extension/with-pattern.ts";

/** The first match, or nothing. */
function find(regex: Regex, text: string): Result {
  const match = regex.find(text);
  return match === undefined ? "" : text.slice(match[0], match[1]);
}

/** The first `most` matches; all if negative. */
function findAll(regex: Regex, text: string, most: number | bigint, running: Running): Result {
  const matches = regex.findAll(text, most < 0 ? Number.POSITIVE_INFINITY : Number(most));
  running.allocate(matches.length);
  return matches.map(([begin, end]) => text.slice(begin, end));
}

/** An overload whose second argument is a pattern; cel-go charges 1 for it. */
function overload(
  name: string,
  id: string,
  more: readonly Type[],
  result: Type,
  use: Call,
  estimate: Estimate,
): Overload {
  const { call, prepare } = withPattern(use);
  return memberFunction(name, id, [STRING, STRING, ...more], result, call, { estimate, prepare });
}

type Estimate = NonNullable<CallDetails["estimate"]>;

const findingOne: Estimate = (args) => upTo(1, largest(args, 0));
const findingAll: Estimate = (args) => upTo(1, largest(args, 0) + 1);

/** `find`, `findAll` */
export const kubernetesRegexLibrary: Library = {
  name: "kubernetes regex",
  functions: [
    overload("find", "string_find_string", [], STRING, find, findingOne),
    overload("findAll", "string_find_all_string", [], listOf(STRING), findAllWithoutLimit, findingAll),
    overload("findAll", "string_find_all_string_int", [INT], listOf(STRING), findAll, findingAll),
  ],
};

function findAllWithoutLimit(regex: Regex, text: string, running: Running): Result {
  return findAll(regex, text, -1, running);
}
