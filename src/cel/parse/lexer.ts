// Which tokens does the text of an expression consist of?
import type { IssueList } from "../issue.ts";
import { double, UINT_MAX, Uint } from "../value/number.ts";
import { readQuoted } from "./quoted-literal.ts";
import type { Token } from "./token.ts";

const BLANK = /(?:[ \t\r\n\f]+|\/\/[^\n]*)+/y;
const QUOTED = /(?:[bB][rR]?|[rR])?(?:"""|'''|"|')/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const BACK_QUOTED = /`[A-Za-z0-9_\-./ ]+`/y;
const DOUBLE = /[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/y;
const INTEGER = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]?/y;
const OPERATOR = /\[\?|\.\?|&&|\|\||==|!=|<=|>=|[<>+\-*/%!?:.,()[\]{}]/y;

/** Operators of other languages, and what to write instead. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/===|=(?!=)/y, "CEL compares with =="],
  [/!==|<>/y, "CEL compares with !="],
  [/&(?!&)/y, "write && for a logical and"],
  [/\|(?!\|)/y, "write || for a logical or"],
  [/;/y, "an expression has no statements; remove the semicolon"],
  [/[“”‘’„‚]/y, "use plain quotes: \" or '"],
  [/[–—−]/y, "use a plain minus: -"],
  [/`/y, "between back quotes letters, digits, spaces and _ - . / can stand"],
];

/** The tokens of the text; the last one is the end. Invalid characters are reported and become a broken token. */
export function readTokens(text: string, issues: IssueList): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  while (at < text.length) {
    if (take(BLANK) !== undefined) continue;
    const start = at;
    const word = take(QUOTED);
    if (word !== undefined) {
      const { value, end } = readQuoted(text, start, word, issues);
      tokens.push({ kind: value === undefined ? "broken" : "literal", text: word, value, start, end });
      at = end;
    } else {
      tokens.push(readWord(take, start, text, issues));
      at = (tokens.at(-1) as Token).end;
    }
  }
  tokens.push({ kind: "end", text: "", start: text.length, end: text.length });
  return tokens;
}

function readWord(
  take: (pattern: RegExp) => string | undefined,
  start: number,
  text: string,
  issues: IssueList,
): Token {
  const name = take(NAME);
  if (name !== undefined) return { kind: "name", text: name, start, end: start + name.length };
  const decimal = take(DOUBLE);
  if (decimal !== undefined) {
    const end = start + decimal.length;
    const finite = Number.isFinite(Number(decimal));
    if (!finite) issues.add({ start, end }, "the number is too large for a double");
    return { kind: finite ? "double" : "broken", text: decimal, value: double(Number(decimal)), start, end };
  }
  const integer = take(INTEGER);
  if (integer !== undefined) return integerToken(integer, start, issues);
  const quoted = take(BACK_QUOTED);
  if (quoted !== undefined) {
    return { kind: "quoted-name", text: quoted.slice(1, -1), start, end: start + quoted.length };
  }
  for (const [pattern, hint] of FOREIGN) {
    const foreign = take(pattern);
    if (foreign !== undefined) return broken(foreign, start, issues, hint);
  }
  const operator = take(OPERATOR);
  if (operator !== undefined) return { kind: "operator", text: operator, start, end: start + operator.length };
  return broken(String.fromCodePoint(text.codePointAt(start) as number), start, issues);
}

function broken(text: string, start: number, issues: IssueList, hint?: string): Token {
  const end = start + text.length;
  issues.add({ start, end }, `unexpected ${JSON.stringify(text)}`, hint);
  return { kind: "broken", text, start, end };
}

function integerToken(text: string, start: number, issues: IssueList): Token {
  const end = start + text.length;
  if (!/[uU]$/.test(text)) return { kind: "int", text, value: BigInt(text), start, end };
  const value = BigInt(text.slice(0, -1));
  if (value <= UINT_MAX) return { kind: "literal", text, value: new Uint(value), start, end };
  issues.add({ start, end }, `the number is more than the largest uint, ${UINT_MAX}u`);
  return { kind: "broken", text, start, end };
}
