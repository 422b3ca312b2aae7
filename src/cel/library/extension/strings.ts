// What else can be done with strings: characters, parts, words, upper and lower case?
//
// Positions count code points. Costs are those of version 5 of cel-go's library.

import { largest, product, sizeAt, upTo } from "../../cost/range.ts";
import { LIST_COST, sizeOf, traversalCost } from "../../cost/size.ts";
import {
  type ArgumentEstimate,
  type CallDetails,
  globalFunction,
  type Library,
  memberFunction,
  type Running,
} from "../../library.ts";
import { DYN, INT, listOf, STRING } from "../../type.ts";
import { describeValue } from "../../value/describe.ts";
import { codePointCount, codePoints, isSimpleText } from "../../value/text.ts";
import { CelError, type Result, type Value } from "../../value/value.ts";
import { quote } from "./quote.ts";
import { format, prepareFormat } from "./strings-format.ts";

type Int = number | bigint;

function outside(index: Int, count: number): CelError {
  return new CelError(`index ${index} is outside of a string of ${count} characters`);
}

/** The UTF-16 offset of a character; the text must be long enough. */
function offsetOf(text: string, index: number): number {
  if (isSimpleText(text)) return index;
  let offset = 0;
  for (let left = index; left > 0; left--) offset += (text.codePointAt(offset) as number) > 0xffff ? 2 : 1;
  return offset;
}

function charAt(text: string, index: Int): Result {
  const count = codePointCount(text);
  if (index < 0 || index > count) return outside(index, count);
  const character = text.codePointAt(offsetOf(text, Number(index)));
  return character === undefined ? "" : String.fromCodePoint(character);
}

/** Searching for the empty string costs 1 however long the text is, so its characters count as work. */
function indexOf(text: string, part: string, from: Int, running: Running): Result {
  if (part === "") running.work(text.length);
  const count = codePointCount(text);
  if (from < 0) return outside(from, count);
  if (part === "") return from > count ? count : from;
  if (from > count) return outside(from, count); // cel-go answers -1; the official tests want an error
  return indexAt(text, text.indexOf(part, offsetOf(text, Number(from))));
}

const indexOfFirst = (text: string, part: string, running: Running): Result => indexOf(text, part, 0, running);

function lastIndexOf(text: string, part: string, running: Running): Result {
  if (part === "") running.work(text.length);
  return part === "" ? codePointCount(text) : indexAt(text, text.lastIndexOf(part));
}

function lastIndexOfUpTo(text: string, part: string, last: Int, running: Running): Result {
  if (part === "") running.work(text.length);
  const count = codePointCount(text);
  if (last < 0) return outside(last, count);
  if (part === "") return last > count ? count : last;
  if (last > count) return outside(last, count);
  if (last === count) return -1;
  return indexAt(text, text.lastIndexOf(part, offsetOf(text, Number(last))));
}

/** The number of the character at a UTF-16 offset; -1 stays. */
function indexAt(text: string, offset: number): number {
  return offset < 0 || isSimpleText(text) ? offset : codePointCount(text.slice(0, offset));
}

function lowerAscii(text: string): Result {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upperAscii(text: string): Result {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function replaceAll(text: string, old: string, replacement: string, running: Running): Result {
  return replace(text, old, replacement, -1, running);
}

/** Replaces at most `most` parts, all if negative. An empty part is before each character and at the end. */
function replace(text: string, old: string, replacement: string, most: Int, running: Running): Result {
  if (most === 0 || old === replacement) return text;
  const pieces = old === "" ? ["", ...codePoints(text), ""] : text.split(old);
  const count = most < 0 || most >= pieces.length - 1 ? pieces.length - 1 : Number(most);
  running.allocate(text.length + count * (replacement.length - old.length));
  const replaced = pieces.slice(0, count + 1).join(replacement);
  return count === pieces.length - 1 ? replaced : replaced + old + pieces.slice(count + 1).join(old);
}

function splitAll(text: string, separator: string, running: Running): Result {
  return split(text, separator, -1, running);
}

/** At most `most` pieces, the last one being the rest; all if negative. An empty separator splits characters. */
function split(text: string, separator: string, most: Int, running: Running): Result {
  const pieces = separator === "" ? codePoints(text) : text.split(separator);
  running.allocate(pieces.length);
  if (most < 0 || most >= pieces.length) return pieces;
  if (most === 0) return [];
  const kept = Number(most) - 1;
  return [...pieces.slice(0, kept), pieces.slice(kept).join(separator)];
}

function substringFrom(text: string, start: Int): Result {
  const count = codePointCount(text);
  return start < 0 || start > count ? outside(start, count) : text.slice(offsetOf(text, Number(start)));
}

function substring(text: string, start: Int, end: Int): Result {
  if (start > end) return new CelError(`a part of a string cannot begin at ${start} and end at ${end}`);
  const count = codePointCount(text);
  if (start < 0 || start > count) return outside(start, count);
  if (end > count) return outside(end, count);
  return text.slice(offsetOf(text, Number(start)), offsetOf(text, Number(end)));
}

/** Unicode's White_Space, which is neither what JavaScript's trim takes nor its \s. */
const SPACE: ReadonlySet<number> = new Set([
  ...[9, 10, 11, 12, 13, 32, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000],
  ...Array.from({ length: 11 }, (_, index) => 0x2000 + index),
]);

function trim(text: string): Result {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.has(text.charCodeAt(start))) start++;
  while (end > start && SPACE.has(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function reverse(text: string): Result {
  return [...codePoints(text)].reverse().join("");
}

function joinAll(texts: readonly Value[], running: Running): Result {
  return join(texts, "", running);
}

function join(texts: readonly Value[], separator: string, running: Running): Result {
  running.work(texts.length);
  for (const text of texts) {
    if (typeof text !== "string") return new CelError(() => `join() takes strings, not ${describeValue(text)}`);
    running.allocate(text.length + separator.length);
  }
  return texts.join(separator);
}

type Estimates = readonly ArgumentEstimate[];

/** Traverses the text, and makes the result. */
const transforming: CallDetails = {
  resultCost: ([text], result, running) => 1 + traversalCost(sizeOf(text as Value, running)) + sizeOf(result, running),
  estimate: (args: Estimates) => {
    const most = largest(args, 0);
    return upTo(1 + traversalCost(most) + Math.max(1, most), most);
  },
};

const reading: CallDetails = {
  cost: ([text], running) => 2 + traversalCost(sizeOf(text as Value, running)),
  estimate: (args: Estimates) => upTo(2 + traversalCost(largest(args, 0)), 1),
};

const searching: CallDetails = {
  cost: ([text, part], running) =>
    1 +
    (text === "" || part === "" ? 0 : traversalCost(sizeOf(text as Value, running) * sizeOf(part as Value, running))),
  estimate: (args: Estimates) => upTo(1 + traversalCost(product(largest(args, 0), largest(args, 1))), 1),
};

const replacing: CallDetails = {
  resultCost: ([text, old], result, running) => {
    const search = Math.max(1, sizeOf(text as Value, running)) * Math.max(1, sizeOf(old as Value, running));
    return 1 + traversalCost(search) + sizeOf(result, running);
  },
  estimate: (args: Estimates) => {
    const text = largest(args, 0);
    // At most one replacement for each character, and one more when the empty string is replaced.
    const size = text + product(text + 1, largest(args, 2));
    const search = Math.max(1, text) * Math.max(1, largest(args, 1));
    return upTo(1 + traversalCost(search) + Math.max(1, size), size);
  },
};

const splitting: CallDetails = {
  resultCost: ([text], result, running) =>
    1 + traversalCost(sizeOf(text as Value, running) + 1) + sizeOf(result, running) + LIST_COST,
  estimate: (args: Estimates) => {
    const pieces = largest(args, 0) + 1;
    return upTo(1 + traversalCost(pieces) + pieces + LIST_COST, pieces);
  },
};

const joining: CallDetails = {
  resultCost: ([texts], result, running) =>
    1 + traversalCost(sizeOf(texts as Value, running) + 1) + sizeOf(result, running),
  // How long the strings in the list are is unknown.
  estimate: () => upTo(Number.POSITIVE_INFINITY),
};

const quoting: CallDetails = {
  cost: ([text], running) => traversalCost(sizeOf(text as Value, running)),
  estimate: (args: Estimates) => {
    const { min, max } = sizeAt(args, 0);
    return { ...upTo(traversalCost(max)), size: { min: min + 2, max: 2 * max + 2 } };
  },
};

const formatting: CallDetails = {
  cost: ([text], running) => traversalCost(sizeOf(text as Value, running)),
  estimate: (args: Estimates) => upTo(traversalCost(largest(args, 0)), Number.POSITIVE_INFINITY),
  prepare: prepareFormat,
};

const STRINGS = listOf(STRING);
const PART_AND_INT = [STRING, STRING, INT];
const REPLACED = [STRING, STRING, STRING];

/** `charAt`, `indexOf`, `join`, `split`, `format` … */
export const stringsLibrary: Library = {
  name: "strings",
  functions: [
    memberFunction("charAt", "string_char_at_int", [STRING, INT], STRING, charAt, reading),
    memberFunction("indexOf", "string_index_of_string", [STRING, STRING], INT, indexOfFirst, searching),
    memberFunction("indexOf", "string_index_of_string_int", PART_AND_INT, INT, indexOf, searching),
    memberFunction("lastIndexOf", "string_last_index_of_string", [STRING, STRING], INT, lastIndexOf, searching),
    memberFunction("lastIndexOf", "string_last_index_of_string_int", PART_AND_INT, INT, lastIndexOfUpTo, searching),
    memberFunction("lowerAscii", "string_lower_ascii", [STRING], STRING, lowerAscii, transforming),
    memberFunction("upperAscii", "string_upper_ascii", [STRING], STRING, upperAscii, transforming),
    memberFunction("replace", "string_replace_string_string", REPLACED, STRING, replaceAll, replacing),
    memberFunction("replace", "string_replace_string_string_int", [...REPLACED, INT], STRING, replace, replacing),
    memberFunction("split", "string_split_string", [STRING, STRING], STRINGS, splitAll, splitting),
    memberFunction("split", "string_split_string_int", PART_AND_INT, STRINGS, split, splitting),
    memberFunction("substring", "string_substring_int", [STRING, INT], STRING, substringFrom, transforming),
    memberFunction("substring", "string_substring_int_int", [STRING, INT, INT], STRING, substring, transforming),
    memberFunction("trim", "string_trim", [STRING], STRING, trim, transforming),
    memberFunction("reverse", "string_reverse", [STRING], STRING, reverse, transforming),
    memberFunction("join", "list_join", [STRINGS], STRING, joinAll, joining),
    memberFunction("join", "list_join_string", [STRINGS, STRING], STRING, join, joining),
    memberFunction("format", "string_format", [STRING, listOf(DYN)], STRING, format, formatting),
    globalFunction("strings.quote", "strings_quote", [STRING], STRING, quote, quoting),
  ],
};
