// What is wrong with a pattern, in words?
import { shortened } from "../text/words.ts";
import { MAX_PATTERN_SIZE } from "./limits.ts";

/** What can be wrong with a pattern. */
export type FaultKind =
  | "unclosed parenthesis"
  | "unclosed bracket"
  | "unopened parenthesis"
  | "trailing backslash"
  | "nothing to repeat"
  | "repeated repetition"
  | "number of repetitions"
  | "escape"
  | "characters"
  | "name"
  | "repeated name"
  | "look-around"
  | "after (?"
  | "size"
  | "nesting";

/** Thrown while a pattern is read: what is wrong, and where. */
export class PatternFault extends Error {
  readonly kind: FaultKind;
  /** Where the part that is wrong begins and ends, in UTF-16 units. */
  readonly from: number;
  readonly to: number;

  constructor(kind: FaultKind, from: number, to: number) {
    super(kind);
    this.kind = kind;
    this.from = from;
    this.to = to;
  }
}

/** How much of a pattern a message shows. */
const MAX_PART_LENGTH = 30;

/** Why the pattern cannot be used. */
export function mistakeOf(pattern: string, { kind, from, to }: PatternFault): string {
  const part = pattern.slice(from, to);
  const shown = shortened(part, MAX_PART_LENGTH);
  return MISTAKES[kind]({
    part,
    shown,
    at: ` at character ${Array.from(pattern.slice(0, from)).length + 1}`,
    placed: `${shown}${place(pattern, part)}`,
  });
}

interface Wrong {
  readonly part: string;
  /** The part, at most its beginning. */
  readonly shown: string;
  readonly at: string;
  /** The part, and where it is if it occurs once. */
  readonly placed: string;
}

const MISTAKES: Readonly<Record<FaultKind, (wrong: Wrong) => string>> = {
  "unclosed parenthesis": ({ at }) => `the (${at} is never closed`,
  "unclosed bracket": ({ at }) => `the [${at} is never closed`,
  "unopened parenthesis": ({ at }) => `the )${at} closes nothing`,
  "trailing backslash": () => "it ends in a \\ that escapes nothing",
  "nothing to repeat": ({ placed }) => `there is nothing for ${placed} to repeat`,
  "repeated repetition": ({ placed }) => `${placed} repeats a repetition; put the inner one in parentheses`,
  "number of repetitions": ({ placed }) =>
    `${placed} is not a number of repetitions from 0 to 1000, counted together with those around and inside`,
  escape: ({ placed, part }) =>
    `${placed} is no escape of RE2${/^\\[1-9]/.test(part) ? ", which has no references to groups" : ""}`,
  characters: ({ placed }) => `${placed} is no range or class of characters`,
  name: ({ placed }) => `${placed} is no name of a group; letters, digits and _ make one`,
  "repeated name": ({ shown }) => `two groups have the name ${shown}`,
  "look-around": ({ shown, at }) => `${shown}${at} is not known to RE2, which cannot look ahead or behind`,
  "after (?": ({ placed }) => `${placed} is not known to RE2`,
  size: () => `it becomes larger than ${MAX_PATTERN_SIZE} steps when its repetitions are written out`,
  nesting: () => "its parentheses are nested too deeply",
};

/** The position of the part, only if it occurs once. */
function place(pattern: string, part: string): string {
  const first = pattern.indexOf(part);
  if (part === "" || pattern.indexOf(part, first + 1) >= 0) return "";
  return ` at character ${Array.from(pattern.slice(0, first)).length + 1}`;
}
