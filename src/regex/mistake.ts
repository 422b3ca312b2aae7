// What is wrong with a pattern, in words?

import { RE2JSSyntaxException } from "re2js";
import { shortened } from "../text/words.ts";
import type { Outline } from "./outline.ts";

/** How much of a pattern a message shows. */
const MAX_PART_LENGTH = 30;

/** Why the compiler refused the pattern. */
export function mistakeOf(pattern: string, outline: Outline, refusal: unknown): string {
  if (!(refusal instanceof RE2JSSyntaxException)) return "it cannot be compiled";
  const part = refusal.getPattern() ?? "";
  const look = /^\(\?<?[=!]/.exec(part);
  if (look !== null)
    return `${look[0]}${character(pattern, pattern.indexOf(part))} is not known to RE2, which cannot look ahead or behind`;
  const description = refusal.getDescription();
  const shown = `${shortened(part, MAX_PART_LENGTH)}${place(pattern, part)}`;
  return MISTAKES.get(description)?.(shown, part, pattern, outline) ?? description;
}

type Mistake = (shown: string, part: string, pattern: string, outline: Outline) => string;

/** The words for each description of the compiler. `shown` is the part that is wrong, and where it is. */
const MISTAKES: ReadonlyMap<string, Mistake> = new Map<string, Mistake>([
  ["missing closing )", (_s, _p, pattern, { unclosed }) => `the (${character(pattern, unclosed)} is never closed`],
  ["missing closing ]", (_s, _p, pattern, { unclosed }) => `the [${character(pattern, unclosed)} is never closed`],
  ["unexpected )", (_s, _p, pattern, { unopened }) => `the )${character(pattern, unopened)} closes nothing`],
  ["trailing backslash at end of expression", () => "it ends in a \\ that escapes nothing"],
  ["missing argument to repetition operator", (shown) => `there is nothing for ${shown} to repeat`],
  ["invalid nested repetition operator", (shown) => `${shown} repeats a repetition; put the inner one in parentheses`],
  [
    "invalid repeat count",
    (shown) => `${shown} is not a number of repetitions from 0 to 1000, counted together with those around and inside`,
  ],
  [
    "invalid escape sequence",
    (shown, part) =>
      `${shown} is no escape of RE2${/^\\[1-9]/.test(part) ? ", which has no references to groups" : ""}`,
  ],
  ["invalid character class range", (shown) => `${shown} is no range or class of characters`],
  ["invalid named capture", (shown) => `${shown} is no name of a group; letters, digits and _ make one`],
  ["duplicate capture group name", (_shown, part) => `two groups have the name ${shortened(part, MAX_PART_LENGTH)}`],
  ["invalid or unsupported Perl syntax", (shown) => `${shown} is not known to RE2`],
  ["expression nests too deeply", () => "its parentheses are nested too deeply"],
  ["expression too large", () => "it becomes too large when its repetitions are written out"],
]);

/** The position of the part, only if it occurs once. */
function place(pattern: string, part: string): string {
  const first = pattern.indexOf(part);
  return part === "" || first < 0 || pattern.indexOf(part, first + 1) >= 0 ? "" : character(pattern, first);
}

function character(pattern: string, offset: number | undefined): string {
  return offset === undefined ? "" : ` at character ${Array.from(pattern.slice(0, offset)).length + 1}`;
}
