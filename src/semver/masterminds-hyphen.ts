/**
 * Which comparisons does a hyphen range such as 1.2 - 1.4 expand to?
 * Masterminds/semver v3, constraints.go: rewritten as text, before || is split, which is the origin of its oddities.
 */
import { scanPattern } from "./masterminds-pattern.ts";

/**
 * The text with each `A - B` replaced by `>= A, <= B `.
 * Oddities: | counts as part of a version here, so that in `1||2 - 3` the >= goes before the 1; white space before A is
 * swallowed, so that `!=1.2.3 1 - 2` is malformed; and it is always the first occurrence of the same text that is replaced.
 */
export function rewriteHyphens(text: string): string {
  let rewritten = text;
  for (let at = 0; at < text.length; ) {
    const found = scanHyphenRange(text, at);
    if (found === undefined) {
      at++;
    } else {
      rewritten = rewritten.replace(text.slice(at, found.end), () => `>= ${found.from}, <= ${found.to} `);
      at = found.end;
    }
  }
  return rewritten;
}

interface HyphenRange {
  readonly from: string;
  readonly to: string;
  readonly end: number;
}

function scanHyphenRange(text: string, start: number): HyphenRange | undefined {
  const from = scanPattern(text, skipSpace(text, start));
  if (from === undefined) return undefined;
  const hyphen = skipSpace(text, from.end);
  if (hyphen === from.end || text[hyphen] !== "-") return undefined;
  const next = skipSpace(text, hyphen + 1);
  const to = next === hyphen + 1 ? undefined : scanPattern(text, next);
  if (to === undefined) return undefined;
  return { from: text.slice(from.start, from.end), to: text.slice(to.start, to.end), end: skipSpace(text, to.end) };
}

/** The first position from `at` on without white space, which here is ASCII only and without vertical tab. */
export function skipSpace(text: string, at: number): number {
  while (at < text.length && " \t\n\f\r".includes(text[at] as string)) at++;
  return at;
}
