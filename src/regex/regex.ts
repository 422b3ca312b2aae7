/**
 * What does a regular expression match?
 * RE2's syntax and choice of matches, in time linear in the text for every pattern, in UTF-16 offsets.
 */
import { createAutomaton } from "./automaton.ts";
import { MAX_PATTERN_LENGTH } from "./limits.ts";
import { mistakeOf, PatternFault } from "./mistake.ts";
import { parsePattern } from "./parse.ts";
import { compileProgram } from "./program.ts";
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

const recent = createRecent<Regex | BadPattern>(200, 100_000);

/** The pattern, ready to match, or what is wrong with it. */
export function compileRegex(pattern: string): Regex | BadPattern {
  const known = recent.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > MAX_PATTERN_LENGTH) return { mistake: `it is longer than ${MAX_PATTERN_LENGTH} characters` };
  const compiled = compile(pattern);
  recent.set(pattern, compiled, pattern.length + ("size" in compiled ? compiled.size : 0));
  return compiled;
}

function compile(pattern: string): Regex | BadPattern {
  const parsed = parsePattern(pattern);
  if (parsed instanceof PatternFault) return { mistake: mistakeOf(pattern, parsed) };
  const program = compileProgram(parsed.root, parsed.groups);
  const automaton = createAutomaton(program);
  return {
    groups: program.groups,
    size: parsed.root.size,
    matches: automaton.matches,
    find: (text) => walkMatches(program, automaton, text, 1)[0],
    findAll: (text, most = Number.POSITIVE_INFINITY) => walkMatches(program, automaton, text, most),
  };
}
