/**
 * Which versions does a range of OLM contain?
 * The language of blang/semver v4 `ParseRange`, including its oddities, because catalogs are written against it
 * (skipRange, dependencies on a package). A space is AND, || is OR, 1.x is a wildcard, pre-releases are ordinary
 * versions.
 * test/differential/blang-ranges.json holds the answers of the original.
 */

import { cutOperator, OPERATORS, type Operator, splitAlternatives, splitElements } from "./blang-element.ts";
import { proposedRange, whyNotRange } from "./blang-reason.ts";
import { isAllDigits } from "./characters.ts";
import { compareVersions, printVersion, readVersion, type Version } from "./version.ts";
import { whyTooLong } from "./version-reason.ts";

/** One comparison of a range, wildcards already expanded. */
export interface Comparator {
  readonly operator: Operator;
  readonly version: Version;
}

/** The versions that satisfy every comparator of some alternative. */
export interface Range {
  readonly text: string;
  readonly anyOf: readonly (readonly Comparator[])[];
}

/**
 * The range of a text, or why it is invalid.
 * Two || with nothing between are rejected here; the original accepts them and crashes on evaluation.
 */
export function parseRange(text: string): Range | string {
  const tooLong = whyTooLong("range", text);
  if (tooLong !== undefined) return tooLong;
  const anyOf = readAlternatives(text);
  if (Array.isArray(anyOf)) return { text, anyOf };
  return whyNotRange(text, anyOf.element, (instead) => Array.isArray(readAlternatives(instead)));
}

/** The range that an invalid text was probably meant to be, if the reason shows it. */
export function rangeMeant(text: string): string | undefined {
  const anyOf = readAlternatives(text);
  if (Array.isArray(anyOf) || whyTooLong("range", text) !== undefined) return undefined;
  return proposedRange(text, anyOf.element, (instead) => Array.isArray(readAlternatives(instead)));
}

/** Where parsing stopped: at an element, or at none when comparisons are missing. */
interface Refusal {
  readonly element: string | undefined;
}

function readAlternatives(text: string): Comparator[][] | Refusal {
  const alternatives = splitAlternatives(splitElements(text));
  if (alternatives.some((elements) => elements.length === 0)) return { element: undefined };
  const anyOf: Comparator[][] = [];
  for (const elements of alternatives) {
    const allOf: Comparator[] = [];
    for (const element of elements) {
      for (const comparison of expandWildcard(element)) {
        const comparator = readComparator(comparison);
        if (comparator === undefined) return { element };
        allOf.push(comparator);
      }
    }
    anyOf.push(allOf);
  }
  return anyOf;
}

function readComparator(comparison: string): Comparator | undefined {
  const { operator: sign, rest } = cutOperator(comparison);
  const operator = OPERATORS.get(sign);
  const version = readVersion(rest);
  return operator === undefined || version === undefined ? undefined : { operator, version };
}

/** Is the version inside the range? Build metadata does not count. */
export function inRange(range: Range, version: Version): boolean {
  return range.anyOf.some((allOf) => allOf.every((comparator) => holds(comparator, version)));
}

function holds(comparator: Comparator, version: Version): boolean {
  const order = compareVersions(version, comparator.version);
  switch (comparator.operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
  }
}

/** A range of versions as plain data. */
export interface RangeOutline {
  readonly text: string;
  /** The version, if the range has just one. */
  readonly only?: string | undefined;
}

/** The range of an outline. */
export function rangeFrom({ text }: RangeOutline): Range {
  const range = parseRange(text);
  if (typeof range === "string") throw new Error(`${JSON.stringify(text)} is not a range: ${range}`);
  return range;
}

/** A range as plain data. */
export function rangeOutline({ text, anyOf }: Range): RangeOutline {
  const [only] = anyOf[0] ?? [];
  const isOne = anyOf.length === 1 && anyOf[0]?.length === 1 && only?.operator === "=";
  return { text, ...(isOne && only !== undefined && { only: printVersion(only.version) }) };
}

/**
 * Which comparisons does a wildcard such as 1.x expand to?
 * blang/semver v4, range.go. It works on text, before versions are parsed, which is the origin of its oddities.
 */

const LARGEST_INCREMENTED = 2n ** 63n - 1n;

/** For each operator the comparisons with the first version the wildcard covers, and with the first version beyond. */
const EXPANSIONS: ReadonlyMap<string, (first: string, beyond: string) => string[]> = new Map([
  [">", (_first, beyond) => [`>=${beyond}`]],
  [">=", (first) => [`>=${first}`]],
  ["<", (first) => [`<${first}`]],
  ["<=", (_first, beyond) => [`<${beyond}`]],
  ["", within],
  ["=", within],
  ["==", within],
  ["!", outside],
  ["!=", outside],
]);

function within(first: string, beyond: string): string[] {
  return [`>=${first}`, `<${beyond}`];
}

/** Oddity: both must hold, so that `!=1.x` contains nothing. */
function outside(first: string, beyond: string): string[] {
  return [`<${first}`, `>=${beyond}`];
}

/**
 * The comparisons of an element: itself unless it has a wildcard. Some may be malformed, which shows on parsing.
 * Oddities: any x makes a wildcard, also that of `1.0.0-xyz`; `1.x.x` covers 1.0 only; with an unknown operator
 * (`^1.x`, `~1.x`, `v1.x`) the operator is dropped and equality with the first version remains.
 */
function expandWildcard(element: string): readonly string[] {
  if (!element.includes("x")) return [element];
  const { operator, rest } = cutOperator(element);
  const first = firstCovered(rest);
  const expand = EXPANSIONS.get(operator);
  return expand === undefined ? [first] : expand(first, firstBeyond(rest, first));
}

/** Only one wildcard becomes 0, or two that follow each other. */
function firstCovered(pattern: string): string {
  const version = pattern.replace(".x.x", ".x").replace(".x", ".0");
  return version.split(".").length === 2 ? `${version}.0` : version;
}

/** With x as third of three parts the minor number is incremented, as second of two the major; otherwise empty. */
function firstBeyond(pattern: string, first: string): string {
  const parts = pattern.split(".");
  if (parts[parts.length - 1] !== "x" || parts.length > 3) return "";
  const numbers = first.split(".");
  const raised = parts.length - 2;
  numbers[raised] = incremented(numbers[raised] as string);
  return numbers[raised] === "" ? "" : numbers.join(".");
}

/** The next number, or empty; signs and leading zeros are accepted here, though nowhere else. */
function incremented(number: string): string {
  if (!isAllDigits(number[0] === "+" || number[0] === "-" ? number.slice(1) : number)) return "";
  const next = BigInt(number) + 1n;
  return next < 0n || next > LARGEST_INCREMENTED ? "" : String(next);
}
