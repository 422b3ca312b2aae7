/**
 * Which comparisons does a wildcard such as 1.x expand to?
 * blang/semver v4, range.go. It works on text, before versions are parsed, which is the origin of its oddities.
 */
import { cutOperator } from "./blang-element.ts";
import { isAllDigits } from "./characters.ts";

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
export function expandWildcard(element: string): readonly string[] {
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
