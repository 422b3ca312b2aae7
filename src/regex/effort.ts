// How long does a pattern take to compile?
//
// In units of a tenth of a microsecond, never far below what it takes. Most of it goes into the sets of characters: a class
// such as `\pL` has hundreds of ranges, which every instruction with it reads again, and where case does not matter
// every character of a range is looked up.
import { type Outline, outlineOf } from "./outline.ts";

const EACH_PATTERN = 200;
const EACH_CHARACTER = 10;
const EACH_INSTRUCTION = 15;
const UNICODE_CLASS = 3000;
const INSTRUCTION_WITH_CLASSES = 110;
const FOLDED_CHARACTER = 0.3;

/** What it takes to compile a pattern of that outline. */
export function compileEffort(pattern: string, { size }: Outline = outlineOf(pattern)): number {
  const classes = pattern.match(/\\[pP]/g)?.length ?? 0;
  return (
    EACH_PATTERN +
    EACH_CHARACTER * pattern.length +
    (EACH_INSTRUCTION + (classes > 0 ? INSTRUCTION_WITH_CLASSES : 0)) * size +
    UNICODE_CLASS * classes +
    (ignoresCase(pattern) ? FOLDED_CHARACTER * charactersInRanges(pattern) : 0)
  );
}

/** Is there a flag such as `(?i)`? */
function ignoresCase(pattern: string): boolean {
  return /\(\?[a-zA-Z]*i/.test(pattern);
}

/** Beyond this no character has another case. */
const LAST_WITH_CASE = 0x1e943;

/** How many characters the ranges of the pattern have, `[a-z]` being one; what looks like a range counts as one. */
function charactersInRanges(pattern: string): number {
  let count = 0;
  const limit =
    /((?:\\x\{[0-9a-fA-F]{1,6}\}|\\x[0-9a-fA-F]{2}|[^\\]))-(?=(\\x\{[0-9a-fA-F]{1,6}\}|\\x[0-9a-fA-F]{2}|[^\\]))/gu;
  for (const [, from, to] of pattern.matchAll(limit))
    count += Math.max(0, Math.min(codePoint(to as string), LAST_WITH_CASE) - codePoint(from as string));
  return count;
}

function codePoint(written: string): number {
  const hexadecimal = /^\\x\{?([0-9a-fA-F]+)/.exec(written)?.[1];
  return hexadecimal === undefined ? (written.codePointAt(0) as number) : Number.parseInt(hexadecimal, 16);
}
