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
  const at = place(pattern, part);
  const shown = shortened(part, MAX_PART_LENGTH);
  const look = /^\(\?<?[=!]/.exec(part);
  if (look !== null)
    return `${look[0]}${character(pattern, pattern.indexOf(part))} is not known to RE2, which cannot look ahead or behind`;
  switch (refusal.getDescription()) {
    case "missing closing )":
      return `the (${character(pattern, outline.unclosed)} is never closed`;
    case "missing closing ]":
      return `the [${character(pattern, outline.unclosed)} is never closed`;
    case "unexpected )":
      return `the )${character(pattern, outline.unopened)} closes nothing`;
    case "trailing backslash at end of expression":
      return "it ends in a \\ that escapes nothing";
    case "missing argument to repetition operator":
      return `there is nothing for ${shown}${at} to repeat`;
    case "invalid nested repetition operator":
      return `${shown}${at} repeats a repetition; put the inner one in parentheses`;
    case "invalid repeat count":
      return `${shown}${at} is not a number of repetitions from 0 to 1000, counted together with those around and inside`;
    case "invalid escape sequence":
      return `${shown}${at} is no escape of RE2${/^\\[1-9]/.test(part) ? ", which has no references to groups" : ""}`;
    case "invalid character class range":
      return `${shown}${at} is no range or class of characters`;
    case "invalid named capture":
      return `${shown}${at} is no name of a group; letters, digits and _ make one`;
    case "duplicate capture group name":
      return `two groups have the name ${shown}`;
    case "invalid or unsupported Perl syntax":
      return `${shown}${at} is not known to RE2`;
    case "expression nests too deeply":
      return "its parentheses are nested too deeply";
    case "expression too large":
      return "it becomes too large when its repetitions are written out";
    default:
      return refusal.getDescription();
  }
}

/** Where the part is, said only when it cannot be meant elsewhere. */
function place(pattern: string, part: string): string {
  const first = pattern.indexOf(part);
  return part === "" || first < 0 || pattern.indexOf(part, first + 1) >= 0 ? "" : character(pattern, first);
}

function character(pattern: string, offset: number | undefined): string {
  return offset === undefined ? "" : ` at character ${Array.from(pattern.slice(0, offset)).length + 1}`;
}
