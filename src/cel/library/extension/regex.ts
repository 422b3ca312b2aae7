// What can regular expressions take out of a text, or put in its place?

import type { Match, Regex } from "../../../regex/regex.ts";
import { largest, product, upTo } from "../../cost/range.ts";
import { LIST_COST, sizeOf } from "../../cost/size.ts";
import {
  type ArgumentEstimate,
  type Call,
  type CallDetails,
  type CallEstimate,
  globalFunction,
  type Library,
  type Overload,
  type Running,
} from "../../library.ts";
import { INT, listOf, optionalOf, STRING, type Type } from "../../type.ts";
import { Optional } from "../../value/boxes.ts";
import { describeValue } from "../../value/describe.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { withPattern } from "./with-pattern.ts";

function captured(text: string, match: Match, group: number): string {
  return text.slice(Math.max(0, match[2 * group] as number), Math.max(0, match[2 * group + 1] as number));
}

/** The first match, or its group when the pattern has one; nothing when that is empty. */
function extract(regex: Regex, text: string): Result {
  const match = regex.find(text);
  if (match === undefined) return Optional.none;
  const found = captured(text, match, regex.groups);
  return regex.groups === 1 && found === "" ? Optional.none : new Optional(found);
}

/** All matches, or their groups that are not empty. */
function extractAll(regex: Regex, text: string, running: Running): Result {
  const matches = regex.findAll(text);
  running.allocate(matches.length);
  const found = matches.map((match) => captured(text, match, regex.groups));
  return regex.groups === 1 ? found.filter((part) => part !== "") : found;
}

/** The text with its matches replaced; `\1` in the replacement is a group, `\\` a backslash. */
function replace(regex: Regex, text: string, replacement: string, most: number | bigint, running: Running): Result {
  let replaced = "";
  let from = 0;
  for (const match of regex.findAll(text, most < 0 ? Number.POSITIVE_INFINITY : Number(most))) {
    const inserted = expand(replacement, regex, text, match);
    if (inserted instanceof CelError) return inserted;
    running.allocate((match[0] as number) - from + inserted.length);
    replaced += text.slice(from, match[0]) + inserted;
    from = match[1] as number;
  }
  return replaced + text.slice(from);
}

function expand(replacement: string, regex: Regex, text: string, match: Match): string | CelError {
  let inserted = "";
  let from = 0;
  for (let at = replacement.indexOf("\\"); at >= 0; at = replacement.indexOf("\\", from)) {
    inserted += replacement.slice(from, at);
    const next = replacement.charAt(at + 1);
    if (next === "\\") inserted += "\\";
    else if (next < "0" || next > "9") {
      return new CelError(
        () => `the replacement ${describeValue(replacement)} has a \\ that is not followed by a digit or \\`,
      );
    } else if (Number(next) > regex.groups) {
      return new CelError(`the replacement names group ${next}, but the regular expression has ${regex.groups}`);
    } else inserted += captured(text, match, Number(next));
    from = at + 2;
  }
  return inserted + replacement.slice(from);
}

/** An overload whose second argument is a pattern. */
function overload(
  name: string,
  id: string,
  rest: readonly Type[],
  result: Type,
  use: Call,
  details: CallDetails,
  mostGroups?: number,
): Overload {
  const { call, prepare } = withPattern(use, mostGroups);
  return globalFunction(name, id, [STRING, STRING, ...rest], result, call, { ...details, prepare });
}

function searchCost(text: number, pattern: number): number {
  return (text + 1) * 0.1 * ((pattern + 1) * 0.25);
}

function searchCostOf([text, pattern]: readonly Value[], running: Running): number {
  return 1 + searchCost(sizeOf(text as Value, running), sizeOf(pattern as Value, running));
}

function searchEstimate(args: readonly ArgumentEstimate[], result: number, size: number): CallEstimate {
  return upTo(Math.ceil(1 + searchCost(largest(args, 0), largest(args, 1)) + Math.max(1, result)), size);
}

const extracting: CallDetails = {
  // An optional counts as one, regardless of its content.
  cost: (args, running) => Math.ceil(searchCostOf(args, running) + 1),
  estimate: (args) => searchEstimate(args, 1, largest(args, 0)),
};

const extractingAll: CallDetails = {
  resultCost: (args, result, running) => Math.ceil(searchCostOf(args, running) + sizeOf(result, running) + LIST_COST),
  estimate: (args) => searchEstimate(args, largest(args, 0) + 1 + LIST_COST, largest(args, 0) + 1),
};

const replacing: CallDetails = {
  resultCost: (args, result, running) => Math.trunc(searchCostOf(args, running) + sizeOf(result, running)),
  estimate: (args) => {
    const text = largest(args, 0);
    // The replacement comes at most once before each character and at the end; what its groups insert is from parts of
    // the text that do not overlap.
    const size = text + product(2 * text + 1, largest(args, 2));
    return searchEstimate(args, size, size);
  },
};

/** `regex.extract`, `regex.extractAll`, `regex.replace` */
export const regexLibrary: Library = {
  name: "regex",
  functions: [
    overload("regex.extract", "regex_extract_string_string", [], optionalOf(STRING), extract, extracting, 1),
    overload("regex.extractAll", "regex_extractAll_string_string", [], listOf(STRING), extractAll, extractingAll, 1),
    overload("regex.replace", "regex_replace_string_string_string", [STRING], STRING, replaceAll, replacing),
    overload("regex.replace", "regex_replace_string_string_string_int", [STRING, INT], STRING, replace, replacing),
  ],
};

function replaceAll(regex: Regex, text: string, replacement: string, running: Running): Result {
  return replace(regex, text, replacement, -1, running);
}
