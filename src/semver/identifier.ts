/**
 * What are the dotted parts after a version's numbers, and how are they ordered?
 * semver.org, items 9 to 11.
 */
import { DOT, digitsEnd, isIdentifierCharacter, ZERO } from "./characters.ts";
import { readWholeNumber, type WholeNumber } from "./whole-number.ts";

/** One part of a pre-release: a number if it is all digits, otherwise text. */
export type Identifier = string | WholeNumber;

/**
 * The pre-release between `start` and `end`; undefined if a part is empty, has an invalid character, a leading zero
 * or too many digits.
 */
export function readPrerelease(text: string, start: number, end: number): readonly Identifier[] | undefined {
  return readIdentifiers(text, start, end, (from, to) =>
    digitsEnd(text, from) === to ? readNumeric(text, from, to) : text.slice(from, to),
  );
}

/** The build metadata between `start` and `end`; undefined if a part is empty or has an invalid character. */
export function readBuild(text: string, start: number, end: number): readonly string[] | undefined {
  return readIdentifiers(text, start, end, (from, to) => text.slice(from, to));
}

/** The dotted parts between `start` and `end`; undefined if one is empty, has an invalid character or cannot be read. */
function readIdentifiers<Part>(
  text: string,
  start: number,
  end: number,
  read: (from: number, to: number) => Part | undefined,
): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (let from = start; from <= end; ) {
    const to = identifierEnd(text, from, end);
    const part = to < 0 ? undefined : read(from, to);
    if (part === undefined) return undefined;
    parts.push(part);
    from = to + 1;
  }
  return parts;
}

/**
 * The end of the identifier that begins at `from`; -1 if there is none or it is followed by something other than a
 * dot.
 */
function identifierEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isIdentifierCharacter(text.charCodeAt(at))) at++;
  if (at === from || (at < end && text.charCodeAt(at) !== DOT)) return -1;
  return at;
}

/** A number with at least one digit and no leading zero. */
export function readNumeric(text: string, start: number, end: number): WholeNumber | undefined {
  if (end === start || (end - start > 1 && text.charCodeAt(start) === ZERO)) return undefined;
  return readWholeNumber(text, start, end);
}

/** Orders two pre-releases part by part; if one is a prefix of the other, the longer is greater. */
export function comparePrereleases(a: readonly Identifier[], b: readonly Identifier[]): -1 | 0 | 1 {
  return compareLists(a, b, compareIdentifiers);
}

function compareLists<Part>(
  a: readonly Part[],
  b: readonly Part[],
  compare: (a: Part, b: Part) => -1 | 0 | 1,
): -1 | 0 | 1 {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const order = compare(a[i] as Part, b[i] as Part);
    if (order !== 0) return order;
  }
  return compareValues(a.length, b.length);
}

/** Numbers by value and below all text, text by its ASCII codes. */
function compareIdentifiers(a: Identifier, b: Identifier): -1 | 0 | 1 {
  if (a === b) return 0;
  const textA = typeof a === "string";
  const textB = typeof b === "string";
  if (textA !== textB) return textA ? 1 : -1;
  return a < b ? -1 : 1;
}

/** Orders build metadata like pre-releases; parts of equal value (1, 01) by length, so that only equal text is equal. */
export function compareBuilds(a: readonly string[], b: readonly string[]): -1 | 0 | 1 {
  return compareLists(a, b, compareBuildIdentifiers);
}

function compareBuildIdentifiers(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  const digitsA = digitsEnd(a, 0) === a.length;
  const digitsB = digitsEnd(b, 0) === b.length;
  if (digitsA !== digitsB) return digitsA ? -1 : 1;
  if (!digitsA) return compareValues(a, b);
  const valueA = withoutLeadingZeros(a);
  const valueB = withoutLeadingZeros(b);
  return (
    compareValues(valueA.length, valueB.length) || compareValues(valueA, valueB) || compareValues(a.length, b.length)
  );
}

/** The text without leading zeros. */
export function withoutLeadingZeros(text: string): string {
  let from = 0;
  while (from < text.length && text.charCodeAt(from) === ZERO) from++;
  return text.slice(from);
}

function compareValues<T extends string | number>(a: T, b: T): -1 | 0 | 1 {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
