/**
 * Why is this text not a Masterminds constraint, and what should be written instead?
 * Only used after parsing has failed; nothing here decides what is accepted.
 */
import { quoted } from "../text/words.ts";
import { trimSpace } from "./characters.ts";
import { SPELLINGS } from "./masterminds-operator.ts";
import { parseTolerant } from "./tolerant.ts";
import { isPlain, whyTooLong } from "./version-reason.ts";

/** The longest constraint that the original accepts. */
export const MAX_CONSTRAINT_LENGTH = 512;

/** The most alternatives that the original accepts. */
export const MAX_ALTERNATIVES = 32;

/** Where parsing stopped: `text` is the alternative, or for a version that version alone. */
export type Trouble =
  | { readonly kind: "length" }
  | { readonly kind: "alternatives" }
  | { readonly kind: "comparison"; readonly text: string; readonly at: number }
  | { readonly kind: "separator"; readonly text: string; readonly at: number }
  | { readonly kind: "version"; readonly text: string };

/** Why a text is not a constraint; only texts that `isConstraint` accepts are proposed. */
export function whyNotConstraint(text: string, trouble: Trouble, isConstraint: (text: string) => boolean): string {
  switch (trouble.kind) {
    case "length":
      return whyTooLong("constraint", text, MAX_CONSTRAINT_LENGTH) ?? `the constraint ${quoted(text)} is too long`;
    case "alternatives":
      return `the constraint has more than ${MAX_ALTERNATIVES} alternatives: use fewer ||`;
    case "comparison":
      return whyNoComparison(text, trouble.text, trouble.text.slice(trouble.at));
    case "separator":
      return whyNoSeparator(text, trouble.text.slice(0, trouble.at), trouble.text.slice(trouble.at), isConstraint);
    case "version":
      return whyNoPattern(trouble.text);
  }
}

/** The text at a position where a comparison should begin is something else. */
function whyNoComparison(text: string, alternative: string, rest: string): string {
  if (trimSpace(text) === "") return "the constraint is empty: write * to allow every release";
  if (trimSpace(alternative) === "") {
    return `there is nothing on one side of || in ${quoted(text)}: remove || or write a comparison there`;
  }
  if (isRewritten(text, rest) || /^-\s/.test(rest)) return whyNotHyphenRange(text);
  if (rest === "" || rest.startsWith(",")) {
    return `a comma of ${quoted(text)} has no comparison next to it: remove it or write a comparison there`;
  }
  const [word = ""] = rest.split(/\s/, 1);
  if (/^(&|&&|and)$/i.test(word)) return `comparisons are joined by a comma or a space: remove ${quoted(word)}`;
  if (/^or$/i.test(word)) return `alternatives are separated by ||: write it instead of ${quoted(word)}`;
  if (/^V[0-9]/.test(rest)) return `the version ${quoted(word)} begins with V: write a v or leave it out`;
  return (
    whyNotOperator(rest) ?? `cannot read ${quoted(rest)} in ${quoted(text)}: write comparisons such as >=1.0.0, <2.0.0`
  );
}

/** Operators of other languages, and their equivalents. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["==", "="],
  ["===", "="],
  ["!", "!="],
  ["!==", "!="],
  ["<>", "!="],
  ["~=", "~"],
]);

function whyNotOperator(rest: string): string | undefined {
  const [written = ""] = /^[=!<>~^\s]*/.exec(rest) ?? [];
  const operator = written.replace(/\s/g, "");
  if (operator === "") return undefined;
  const isKnown = SPELLINGS.some(([spelling]) => spelling === operator);
  if (isKnown && written.trim() !== operator)
    return `the operator ${quoted(written.trim())} has spaces in it: write ${operator}`;
  if (isKnown && written.length === rest.length) {
    return `the operator ${operator} has no version after it: write one, such as ${operator}1.0.0`;
  }
  if (isKnown) return undefined;
  return `the operator ${quoted(operator)} is not known: write ${MEANT.get(operator) ?? "one of = != < <= > >= ~ ^"}`;
}

/** A comparison is followed by something that is neither part of it nor the next one. */
function whyNoSeparator(text: string, before: string, rest: string, isConstraint: (text: string) => boolean): string {
  if (isRewritten(text, before) || isRewritten(text, rest)) return whyNotHyphenRange(text);
  if (/^[=!<>~^]/.test(rest)) {
    const proposal = `${before}, ${rest}`;
    return `two comparisons have nothing between them: write ${isPlain(proposal) && isConstraint(proposal) ? proposal : "a comma there"}`;
  }
  if (/^\.[0-9xX*]/.test(rest))
    return `a version of ${quoted(text)} has more than three numbers: leave ${quoted(rest)} out`;
  return `cannot read ${quoted(rest)} after ${quoted(before)} in ${quoted(text)}`;
}

/** Is the piece part of a hyphen range that was expanded to comparisons? */
function isRewritten(text: string, piece: string): boolean {
  return !text.includes(piece);
}

function whyNotHyphenRange(text: string): string {
  return `a hyphen range of ${quoted(text)} cannot be read: write it as in 1.2 - 1.4, with a comma between it and other comparisons`;
}

function whyNoPattern(version: string): string {
  if (version.includes("|")) return `there is a single | in ${quoted(version)}: write || for alternatives`;
  const [numbers = ""] = /^[^-+]*/.exec(version) ?? [];
  const closed = numbers.split(".").map((number) => (/^[xX*]$/.test(number) ? "0" : number));
  if (closed.some((number) => /[xX*]/.test(number))) {
    return `${quoted(version)} mixes a wildcard into a number: write it as in 1.x or 1.2.x`;
  }
  while (closed.length < 3) closed.push("0");
  const reason = parseTolerant(closed.join(".") + version.slice(numbers.length));
  return `cannot read ${quoted(version)}: ${typeof reason === "string" ? reason : "it is too long"}`;
}
