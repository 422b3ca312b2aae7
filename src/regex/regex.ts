/**
 * What does a regular expression match?
 * RE2's syntax and choice of matches, in time linear in the text for every pattern, in UTF-16 offsets.
 */
import { createAutomaton } from "./automaton.ts";
import { compileEffort } from "./effort.ts";
import { mistakeOf } from "./mistake.ts";
import { type Outline, outlineOf } from "./outline.ts";
import { compileProgram, type Program } from "./program.ts";
import { createRecent } from "./recent.ts";
import { type Match, walkMatches } from "./walk.ts";

export type { Match } from "./walk.ts";

/** A compiled pattern. */
export interface Regex {
  /** How many groups capture. */
  readonly groups: number;
  /** How many instructions it has, roughly: what it takes at worst to go on by a character. */
  readonly size: number;
  /** Is there a match anywhere in the text? */
  matches(text: string): boolean;
  /** The first match and what its groups captured. */
  find(text: string): Match | undefined;
  /** The matches from left to right, at most `most` (all if absent); they do not overlap. */
  findAll(text: string, most?: number): readonly Match[];
}

/** Why a pattern cannot be used. */
export interface BadPattern {
  readonly mistake: string;
}

/** The longest pattern, in UTF-16 units. */
export const MAX_PATTERN_LENGTH = 10_000;
/** The largest pattern when its repetitions are written out, in instructions. */
export const MAX_PATTERN_SIZE = 5_000;

/** The longest that a pattern may take to compile, in tenths of a microsecond. */
const MAX_EFFORT = 2_000_000;

const recent = createRecent<Regex | BadPattern>(200, 100_000);

/** The pattern, ready to match, or what is wrong with it. */
export function compileRegex(pattern: string): Regex | BadPattern {
  const known = recent.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > MAX_PATTERN_LENGTH) return { mistake: `it is longer than ${MAX_PATTERN_LENGTH} characters` };
  const outline = outlineOf(pattern);
  const compiled = tooMuch(pattern, outline) ?? compile(pattern, outline);
  recent.set(pattern, compiled, pattern.length + outline.size);
  return compiled;
}

/** Why it is not compiled at all. */
function tooMuch(pattern: string, outline: Outline): BadPattern | undefined {
  if (outline.size > MAX_PATTERN_SIZE)
    return { mistake: `it becomes larger than ${MAX_PATTERN_SIZE} steps when its repetitions are written out` };
  if (compileEffort(pattern, outline) > MAX_EFFORT)
    return { mistake: "its ranges are too large to be read without regard to case" };
  return undefined;
}

function compile(pattern: string, outline: Outline): Regex | BadPattern {
  let program: Program;
  try {
    program = compileProgram(pattern);
  } catch (refusal) {
    return { mistake: mistakeOf(pattern, outline, refusal) };
  }
  const automaton = createAutomaton(program);
  return {
    groups: program.groups,
    size: outline.size,
    matches: automaton.matches,
    find: (text) => walkMatches(program, automaton, text, 1)[0],
    findAll: (text, most = Number.POSITIVE_INFINITY) => walkMatches(program, automaton, text, most),
  };
}
