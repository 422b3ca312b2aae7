/**
 * What is a version inside a Masterminds constraint: a version, or one with wildcards or missing numbers?
 * Masterminds/semver v3, constraints.go.
 */
import { DOT, HYPHEN, isAllDigits, isDigit, isIdentifierCharacter, PLUS } from "./characters.ts";
import type { Identifier } from "./identifier.ts";
import type { Version } from "./version.ts";
import { readWholeNumber, type WholeNumber } from "./whole-number.ts";

/** The longest version that the original accepts inside a constraint. */
const MAX_VERSION_LENGTH = 256;

/** The first number of a pattern that is a wildcard or missing; those after it are ignored. */
export type Open = "none" | "major" | "minor" | "patch";

/** The lowest version that a pattern covers, and its first open number. */
export interface Pattern {
  readonly version: Version;
  readonly open: Open;
}

/** The positions of a pattern and its parts in the text. */
export interface Span {
  readonly start: number;
  readonly numbers: readonly (readonly [start: number, end: number])[];
  readonly preStart: number;
  readonly preEnd: number;
  readonly end: number;
}

/** The span of the pattern that begins at `start`, by characters only; undefined if none begins there. */
export function scanPattern(text: string, start: number): Span | undefined {
  let at = text[start] === "v" ? start + 1 : start;
  const numbers: [number, number][] = [];
  while (numbers.length < 3) {
    const from = numbers.length === 0 ? at : at + 1;
    const end = numbers.length === 0 || text.charCodeAt(at) === DOT ? runEnd(text, from) : from;
    if (end === from) break;
    numbers.push([from, end]);
    at = end;
  }
  if (numbers.length === 0) return undefined;
  const preEnd = identifiersEnd(text, at, HYPHEN);
  return { start, numbers, preStart: at, preEnd, end: identifiersEnd(text, preEnd, PLUS) };
}

/** Digits and wildcards. Oddity: the original accepts | among them, which shows in hyphen ranges next to ||. */
function runEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isDigit(text.charCodeAt(at)) || "xX*|".includes(text[at] as string))) at++;
  return at;
}

/** The end of dotted identifiers after `sign`; `from` itself if the sign or the first identifier is missing. */
function identifiersEnd(text: string, from: number, sign: number): number {
  if (text.charCodeAt(from) !== sign) return from;
  let end = from;
  for (let at = from + 1; isIdentifierCharacter(text.charCodeAt(at)); at++) {
    while (isIdentifierCharacter(text.charCodeAt(at))) at++;
    end = at;
    if (text.charCodeAt(at) !== DOT) break;
  }
  return end;
}

/** The pattern of a span, or undefined if a number is invalid or too large, or the pre-release is malformed. */
export function readPattern(text: string, span: Span): Pattern | undefined {
  const written = span.numbers.map(([start, end]) => text.slice(start, end));
  const wild = written.findIndex((number) => number === "x" || number === "X" || number === "*");
  const fixed = wild < 0 ? written : written.slice(0, wild);
  const numbers = fixed.map(readPaddedNumber);
  const pre = readLongPrerelease(text.slice(span.preStart, span.preEnd));
  if (numbers.includes(undefined) || pre === undefined || isTooLong(span, fixed)) return undefined;
  const [major = 0, minor = 0, patch = 0] = numbers;
  return { version: { major, minor, patch, pre, build: [] }, open: OPEN_AFTER[fixed.length] as Open };
}

const OPEN_AFTER: readonly Open[] = ["major", "minor", "patch", "none"];

/** Leading zeros are accepted. */
function readPaddedNumber(text: string): WholeNumber | undefined {
  return isAllDigits(text) ? readWholeNumber(text, 0, text.length) : undefined;
}

/** A pre-release with its hyphen, or empty. Oddity: a number beyond 64 bits is text. */
function readLongPrerelease(text: string): readonly Identifier[] | undefined {
  if (text === "") return [];
  const identifiers: Identifier[] = [];
  for (const part of text.slice(1).split(".")) {
    if (!isAllDigits(part)) identifiers.push(part);
    else if (part.length > 1 && part[0] === "0") return undefined;
    else identifiers.push(readWholeNumber(part, 0, part.length) ?? part);
  }
  return identifiers;
}

/** The original measures the text, with its v and build metadata, unless numbers are open and had to be filled in. */
function isTooLong(span: Span, fixed: readonly string[]): boolean {
  if (fixed.length === 3) return span.end - span.start > MAX_VERSION_LENGTH;
  const filled = [...fixed, "0", "0", "0"].slice(0, 3).join(".");
  return filled.length + span.preEnd - span.preStart > MAX_VERSION_LENGTH;
}
