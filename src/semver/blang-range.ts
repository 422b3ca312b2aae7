/**
 * Which versions does a range of OLM contain?
 * The language of blang/semver v4 `ParseRange`, including its oddities, because catalogs are written against it
 * (skipRange, dependencies on a package). A space is AND, || is OR, 1.x is a wildcard, pre-releases are ordinary
 * versions.
 * test/differential/blang-ranges.json holds the answers of the original.
 */
import { cutOperator, OPERATORS, type Operator, splitAlternatives, splitElements } from "./blang-element.ts";
import { proposedRange, whyNotRange } from "./blang-reason.ts";
import { expandWildcard } from "./blang-wildcard.ts";
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
