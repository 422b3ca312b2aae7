/**
 * Where does one comparison of a blang range end and the next begin?
 * blang/semver v4, range.go.
 */
import { trimSpace } from "./characters.ts";

/** The comparison of a version with the written one. */
export type Operator = "=" | "!=" | ">" | ">=" | "<" | "<=";

/** All spellings of operators; none means equality. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["", "="],
  ["=", "="],
  ["==", "="],
  ["!", "!="],
  ["!=", "!="],
  [">", ">"],
  [">=", ">="],
  ["<", "<"],
  ["<=", "<="],
]);

/** After these characters a space does not end the element. */
const CONTINUES = "<>=";

/**
 * The elements of a range, without spaces inside: comparisons, and || between alternatives.
 * Oddity: an element of a single character (in the original: byte) is dropped silently, so that `1.0.0 - 2.0.0` is
 * two equalities, `! 1.0.0` is one, and a lone `*` is nothing.
 */
export function splitElements(text: string): string[] {
  const elements: string[] = [];
  let start = 0;
  let continues = false;
  for (let at = 0; at <= text.length; at++) {
    const isEnd = at === text.length || (text[at] === " " && !continues);
    if (isEnd) {
      if (at - start > 1 || (at > start && text.charCodeAt(start) >= 0x80)) {
        elements.push(text.slice(start, at).replaceAll(" ", ""));
      }
      start = at + 1;
    } else if (text[at] !== " ") {
      continues = CONTINUES.includes(text[at] as string);
    }
  }
  return elements;
}

/** The elements of each alternative. */
export function splitAlternatives(elements: readonly string[]): string[][] {
  let current: string[] = [];
  const alternatives = [current];
  for (const element of elements) {
    if (element === "||") {
      current = [];
      alternatives.push(current);
    } else {
      current.push(element);
    }
  }
  return alternatives;
}

/**
 * An element split before its first digit, of any script: the text before is the operator, surrounding white space
 * ignored.
 */
export function cutOperator(element: string): { readonly operator: string; readonly rest: string } {
  const digit = element.search(/\p{Nd}/u);
  const at = digit < 0 ? element.length : digit;
  return { operator: trimSpace(element.slice(0, at)), rest: element.slice(at) };
}
