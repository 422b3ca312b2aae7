// Where in an unfinished expression is the cursor, and how could the expression be finished?
import { IssueList } from "../issue.ts";
import { readTokens } from "../parse/lexer.ts";
import { KEYWORDS, type Token } from "../parse/token.ts";
import type { Range } from "../value/value.ts";

/** The name that stands for the word at the cursor. */
export const CURSOR = "__cursor__";

/** What can stand at the cursor. */
export type Place = "name" | "member" | "operator";

/** The cursor in a text. */
export interface Cursor {
  /** The word that it is in or behind; empty if there is none. */
  readonly word: Range;
  /** The part of the word before the cursor. */
  readonly prefix: string;
  readonly place: Place;
  /** The text with something in place of the word, finished in several ways, the likeliest first. */
  readonly finished: (instead: string) => readonly string[];
}

const WORD = /[A-Za-z0-9_]/;

/** The cursor at an offset; undefined inside of strings, comments and numbers, and where a new name is given. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  let start = offset;
  while (start > 0 && WORD.test(text[start - 1] as string)) start--;
  let end = offset;
  while (end < text.length && WORD.test(text[end] as string)) end++;
  const head = text.slice(0, start);
  const tokens = readTokens(head, new IssueList(head)).slice(0, -1);
  const last = tokens.at(-1);
  const isInComment = /\/\/[^\n]*$/.test(head.slice(last?.end ?? 0));
  const isInString = last?.kind === "broken" && last.end === head.length && /["'`]/.test(last.text);
  if (isInComment || isInString || /^[0-9]/.test(text.slice(start, end))) return undefined;
  const open = openParts(tokens);
  const place = placeAfter(tokens);
  if (place !== "member" && isFieldName(open, last)) return undefined;
  const tail = text.slice(end);
  return {
    word: { start, end },
    prefix: text.slice(start, offset),
    place,
    finished: (instead) => [
      head + instead + tail,
      ...["", ", null", ", null, null"].map((more) => head + instead + closing(open, more)),
    ],
  };
}

function isOperator(token: Token | undefined, ...texts: readonly string[]): boolean {
  return token?.kind === "operator" && texts.includes(token.text);
}

/** Does a value end with the token? */
function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === "operator") return isOperator(token, ")", "]", "}");
  return token.kind !== "name" || token.text !== "in";
}

function placeAfter(tokens: readonly Token[]): Place {
  const last = tokens.at(-1);
  if (isOperator(last, ".", ".?")) return endsValue(tokens.at(-2)) ? "member" : "name";
  return endsValue(last) ? "operator" : "name";
}

/** A bracket or a conditional that is not closed yet. */
interface Open {
  readonly kind: "(" | "[" | "{" | "?";
  /** Is it the bracket of a message: `Name{`? */
  readonly isMessage: boolean;
  /** Was there a colon in the current entry of a map? */
  hasColon: boolean;
}

function openParts(tokens: readonly Token[]): readonly Open[] {
  const open: Open[] = [];
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    const top = open.at(-1);
    if (token.kind !== "operator") return;
    switch (token.text) {
      case "(":
      case "{":
        open.push({
          kind: token.text,
          isMessage: before?.kind === "name" && !KEYWORDS.has(before.text),
          hasColon: false,
        });
        break;
      case "[":
      case "[?":
        open.push({ kind: "[", isMessage: false, hasColon: false });
        break;
      case "?":
        // Before an element it marks an optional one.
        if (endsValue(before)) open.push({ kind: "?", isMessage: false, hasColon: false });
        break;
      case ":":
        if (top?.kind === "?") open.pop();
        else if (top !== undefined) top.hasColon = true;
        break;
      case ",":
        if (top !== undefined) top.hasColon = false;
        break;
      case ")":
      case "]":
      case "}":
        while (open.at(-1)?.kind === "?") open.pop();
        open.pop();
        break;
      default:
    }
  });
  return open;
}

/** Is a field of a message named here? */
function isFieldName(open: readonly Open[], last: Token | undefined): boolean {
  const top = open.at(-1);
  return top?.kind === "{" && top.isMessage && !top.hasColon && isOperator(last, "{", ",", "?");
}

/** What closes the open parts, with more arguments for the innermost call. */
function closing(open: readonly Open[], more: string): string {
  let left = more;
  return [...open]
    .reverse()
    .map(({ kind, hasColon }) => {
      if (kind === "?") return " : null";
      if (kind === "[") return "]";
      if (kind === "{") return hasColon ? "}" : ": null}";
      const args = left;
      left = "";
      return `${args})`;
    })
    .join("");
}
