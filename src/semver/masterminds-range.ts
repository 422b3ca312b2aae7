/**
 * Which versions does the `version` field of a ClusterExtension allow?
 * The language of Masterminds/semver v3 `NewConstraint`: a comma or space is AND, || is OR, with ^, ~, hyphen ranges
 * and wildcards. test/differential/masterminds-ranges.json holds the answers of the original.
 */

import { type ConstraintComparator, holds, SPELLINGS } from "./masterminds-operator.ts";
import { readPattern, scanPattern } from "./masterminds-pattern.ts";
import { MAX_ALTERNATIVES, MAX_CONSTRAINT_LENGTH, type Trouble, whyNotConstraint } from "./masterminds-reason.ts";
import type { Version } from "./version.ts";

/** Comparisons that must all hold. */
export interface Alternative {
  readonly allOf: readonly ConstraintComparator[];
  /** Pre-releases are allowed only if one of the comparisons names one. */
  readonly allowsPrereleases: boolean;
}

/** The versions that satisfy some alternative. */
export interface VersionConstraint {
  readonly text: string;
  readonly anyOf: readonly Alternative[];
}

/** The constraint of a text, or why it is invalid. */
export function parseConstraint(text: string): VersionConstraint | string {
  const anyOf = readAlternatives(text);
  if (Array.isArray(anyOf)) return { text, anyOf };
  return whyNotConstraint(text, anyOf, (instead) => Array.isArray(readAlternatives(instead)));
}

function readAlternatives(text: string): Alternative[] | Trouble {
  if (text.length > MAX_CONSTRAINT_LENGTH) return { kind: "length" };
  const alternatives = rewriteHyphens(text).split("||");
  if (alternatives.length > MAX_ALTERNATIVES) return { kind: "alternatives" };
  const anyOf: Alternative[] = [];
  for (const alternative of alternatives) {
    const allOf = readComparators(alternative);
    if (!Array.isArray(allOf)) return allOf;
    anyOf.push({ allOf, allowsPrereleases: allOf.some(({ version }) => version.pre.length > 0) });
  }
  return anyOf;
}

/** Comparisons with white space or one comma between them. */
function readComparators(text: string): ConstraintComparator[] | Trouble {
  const comparators: ConstraintComparator[] = [];
  for (let at = skipSpace(text, 0); ; ) {
    const [spelling, operator] = SPELLINGS.find(([candidate]) =>
      text.startsWith(candidate, at),
    ) as (typeof SPELLINGS)[number];
    const span = scanPattern(text, skipSpace(text, at + spelling.length));
    if (span === undefined) return { kind: "comparison", text, at };
    const pattern = readPattern(text, span);
    if (pattern === undefined) return { kind: "version", text: text.slice(span.start, span.end) };
    comparators.push({ operator, ...pattern });

    const next = skipSpace(text, span.end);
    if (next === text.length) return comparators;
    if (next === span.end && text[next] !== ",") return { kind: "separator", text, at: next };
    at = text[next] === "," ? skipSpace(text, next + 1) : next;
  }
}

/** Is the version allowed? Build metadata does not count. */
export function satisfies(constraint: VersionConstraint, version: Version): boolean {
  const isPrerelease = version.pre.length > 0;
  return constraint.anyOf.some(
    ({ allOf, allowsPrereleases }) =>
      (allowsPrereleases || !isPrerelease) && allOf.every((comparator) => holds(comparator, version)),
  );
}

/**
 * Which comparisons does a hyphen range such as 1.2 - 1.4 expand to?
 * Masterminds/semver v3, constraints.go: rewritten as text, before || is split, which is the origin of its oddities.
 */

/**
 * The text with each `A - B` replaced by `>= A, <= B `.
 * Oddities: | counts as part of a version here, so that in `1||2 - 3` the >= goes before the 1; white space before A is
 * swallowed, so that `!=1.2.3 1 - 2` is malformed; and it is always the first occurrence of the same text that is replaced.
 */
function rewriteHyphens(text: string): string {
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
function skipSpace(text: string, at: number): number {
  while (at < text.length && " \t\n\f\r".includes(text[at] as string)) at++;
  return at;
}
