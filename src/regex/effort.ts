// How long does a pattern take to compile?
//
// In units of a tenth of a microsecond, never far below what it takes. Most of it goes into the sets of characters:
// where case does not matter, every character of a set that has another case is looked up.
import type { BadPattern, Regex } from "./regex.ts";

const EACH_PATTERN = 200;
const EACH_CHARACTER = 10;
const EACH_CHARACTER_IN_ANY_CASE = 80;
const EACH_INSTRUCTION = 15;
const UNICODE_CLASS = 3000;

/** What it took to compile the pattern. */
export function compileEffort(pattern: string, compiled: Regex | BadPattern): number {
  const classes = pattern.match(/\\[pP]/g)?.length ?? 0;
  const eachCharacter = ignoresCase(pattern) ? EACH_CHARACTER_IN_ANY_CASE : EACH_CHARACTER;
  const size = "size" in compiled ? compiled.size : 0;
  return EACH_PATTERN + eachCharacter * pattern.length + UNICODE_CLASS * classes + EACH_INSTRUCTION * size;
}

/** Is there a flag such as `(?i)`? */
function ignoresCase(pattern: string): boolean {
  return /\(\?[a-zA-Z]*i/.test(pattern);
}
