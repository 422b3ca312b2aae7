// Which tokens does the text of an expression consist of?
import type { IssueList } from "../issue.ts";
import { double, UINT_MAX, Uint } from "../value/number.ts";
import { readQuoted } from "./quoted-literal.ts";
import type { Token } from "./token.ts";

/** A string literal that begins with letters. */
const PREFIXED = /(?:[bB][rR]?|[rR])(?:"""|'''|"|')/y;
const BACK_QUOTED = /`[A-Za-z0-9_\-./ ]+`/y;
const DOUBLE = /[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/y;
const INTEGER = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]?/y;

const TAB = 0x09;
const VERTICAL_TAB = 0x0b;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BANG = 0x21;
const DOUBLE_QUOTE = 0x22;
const AMPERSAND = 0x26;
const SINGLE_QUOTE = 0x27;
const DOT = 0x2e;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const BRACKET = 0x5b;
const UNDERSCORE = 0x5f;
const PIPE = 0x7c;

/** Operators of one character that begin no longer one, by their codes. */
const SINGLE: readonly (string | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return "+-*/%?:,()]{}".includes(char) ? char : undefined;
});

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
  const { length } = text;
  let at = afterBlanks(text, 0);
  while (at < length) {
    const token = readToken(text, at, issues);
    tokens.push(token);
    at = afterBlanks(text, token.end);
  }
  tokens.push({ kind: "end", text: "", value: undefined, start: length, end: length });
  return tokens;
}

/** Where the next token starts, behind blanks and comments. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN && code !== VERTICAL_TAB)) at++;
    else if (code === SLASH && text.charCodeAt(at + 1) === SLASH) {
      const end = text.indexOf("\n", at);
      if (end === -1) return text.length;
      at = end;
    } else return at;
  }
}

function readToken(text: string, start: number, issues: IssueList): Token {
  const code = text.charCodeAt(start);
  if (isLetter(code)) {
    const opening = isPrefix(code) ? matchAt(PREFIXED, text, start) : undefined;
    return opening === undefined ? nameToken(text, start) : quotedToken(text, start, opening, issues);
  }
  if (code === DOUBLE_QUOTE) return quotedToken(text, start, text.startsWith('"""', start) ? '"""' : '"', issues);
  if (code === SINGLE_QUOTE) return quotedToken(text, start, text.startsWith("'''", start) ? "'''" : "'", issues);
  if (isDigit(code) || (code === DOT && isDigit(text.charCodeAt(start + 1)))) return numberToken(text, start, issues);
  const operator = operatorAt(text, start, code);
  if (operator !== undefined)
    return { kind: "operator", text: operator, value: undefined, start, end: start + operator.length };
  const quoted = matchAt(BACK_QUOTED, text, start);
  if (quoted !== undefined)
    return { kind: "quoted-name", text: quoted.slice(1, -1), value: undefined, start, end: start + quoted.length };
  for (const [pattern, hint] of FOREIGN) {
    const foreign = matchAt(pattern, text, start);
    if (foreign !== undefined) return broken(foreign, start, issues, hint);
  }
  return broken(String.fromCodePoint(text.codePointAt(start) as number), start, issues);
}

/** A letter of a name, or an underscore. */
function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || code === UNDERSCORE;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Can a string literal begin with this letter: b or r? */
function isPrefix(code: number): boolean {
  const lower = code | 0x20;
  return lower === 0x62 || lower === 0x72;
}

/** What the pattern matches at that position. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function nameToken(text: string, start: number): Token {
  let end = start + 1;
  for (let code = text.charCodeAt(end); isLetter(code) || isDigit(code); code = text.charCodeAt(end)) end++;
  return { kind: "name", text: text.slice(start, end), value: undefined, start, end };
}

function quotedToken(text: string, start: number, opening: string, issues: IssueList): Token {
  const { value, end } = readQuoted(text, start, opening, issues);
  return { kind: value === undefined ? "broken" : "literal", text: opening, value, start, end };
}

/** The operator at that position; undefined also for one of another language, even if it begins like ours. */
function operatorAt(text: string, at: number, code: number): string | undefined {
  const next = text.charCodeAt(at + 1);
  switch (code) {
    case DOT:
      return next === QUESTION ? ".?" : ".";
    case BRACKET:
      return next === QUESTION ? "[?" : "[";
    case EQUALS:
      return next === EQUALS && text.charCodeAt(at + 2) !== EQUALS ? "==" : undefined;
    case BANG:
      if (next !== EQUALS) return "!";
      return text.charCodeAt(at + 2) === EQUALS ? undefined : "!=";
    case LESS:
      return next === EQUALS ? "<=" : next === GREATER ? undefined : "<";
    case GREATER:
      return next === EQUALS ? ">=" : ">";
    case AMPERSAND:
      return next === code ? "&&" : undefined;
    case PIPE:
      return next === code ? "||" : undefined;
    default:
      return SINGLE[code];
  }
}

function numberToken(text: string, start: number, issues: IssueList): Token {
  const decimal = matchAt(DOUBLE, text, start);
  if (decimal === undefined) return integerToken(matchAt(INTEGER, text, start) as string, start, issues);
  const end = start + decimal.length;
  const finite = Number.isFinite(Number(decimal));
  if (!finite) issues.add({ start, end }, "the number is too large for a double");
  return { kind: finite ? "double" : "broken", text: decimal, value: double(Number(decimal)), start, end };
}

function broken(text: string, start: number, issues: IssueList, hint?: string): Token {
  const end = start + text.length;
  issues.add({ start, end }, `unexpected ${JSON.stringify(text)}`, hint);
  return { kind: "broken", text, value: undefined, start, end };
}

function integerToken(text: string, start: number, issues: IssueList): Token {
  const end = start + text.length;
  if (!/[uU]$/.test(text)) return { kind: "int", text, value: BigInt(text), start, end };
  const value = BigInt(text.slice(0, -1));
  if (value <= UINT_MAX) return { kind: "literal", text, value: new Uint(value), start, end };
  issues.add({ start, end }, `the number is more than the largest uint, ${UINT_MAX}u`);
  return { kind: "broken", text, value: undefined, start, end };
}
