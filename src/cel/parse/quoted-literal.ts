// Which string or bytes does a quoted literal denote?
import type { IssueList } from "../issue.ts";
import { Bytes } from "../value/boxes.ts";
import type { Value } from "../value/value.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const BACKSLASH = 0x5c;

/** Escapes of one character: the letter after the backslash, and what it denotes. */
export const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["?", "?"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
]);

/** Escapes that give a number: how many digits follow, in which base. */
const NUMERIC_ESCAPES: ReadonlyMap<string, readonly [digits: number, pattern: RegExp]> = new Map([
  ["x", [2, /[0-9a-fA-F]{2}/y]],
  ["X", [2, /[0-9a-fA-F]{2}/y]],
  ["u", [4, /[0-9a-fA-F]{4}/y]],
  ["U", [8, /[0-9a-fA-F]{8}/y]],
]);

const OCTAL = /[0-3][0-7]{2}/y;

/** The value of the literal that begins at `start` with these opening characters, and where it ends. */
export function readQuoted(
  text: string,
  start: number,
  opening: string,
  issues: IssueList,
): { readonly value: Value | undefined; readonly end: number } {
  let letters = 0;
  while (!isQuote(opening.charCodeAt(letters))) letters++;
  const quote = opening.slice(letters);
  const raw = letters > 0 && /[rR]/.test(opening);
  const bytes = letters > 0 && /^[bB]/.test(opening);
  const from = start + opening.length;
  const to = closingQuote(text, from, quote, raw);
  if (to === undefined) {
    const lineEnd = quote.length === 3 ? text.length : endOfLine(text, from);
    issues.add(
      { start, end: lineEnd },
      `the string is not closed: ${quote} is missing`,
      "close the string on the same line",
    );
    return { value: undefined, end: lineEnd };
  }
  const end = to + quote.length;
  const inner = withLineFeeds(text.slice(from, to));
  if (raw || !inner.includes("\\")) return { value: bytes ? new Bytes(new TextEncoder().encode(inner)) : inner, end };
  return { value: withEscapes(text, from, to, bytes, issues), end };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** Every end of a line is read as a line feed. */
function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

function closingQuote(text: string, from: number, quote: string, raw: boolean): number | undefined {
  const first = quote.charCodeAt(0);
  const long = quote.length === 3;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === first) {
      if (!long || text.startsWith(quote, at)) return at;
    } else if (code === BACKSLASH) {
      if (!raw) at++;
    } else if ((code === LINE_FEED || code === CARRIAGE_RETURN) && !long) return undefined;
  }
  return undefined;
}

function withEscapes(text: string, from: number, to: number, bytes: boolean, issues: IssueList): Value | undefined {
  const encoder = new TextEncoder();
  const pieces: (string | Uint8Array)[] = [];
  let sound = true;
  let at = from;
  while (at < to) {
    const backslash = text.indexOf("\\", at);
    const plainEnd = backslash === -1 || backslash >= to ? to : backslash;
    if (plainEnd > at) pieces.push(withLineFeeds(text.slice(at, plainEnd)));
    if (plainEnd === to) break;
    const read = readEscape(text, backslash, bytes);
    if (typeof read === "string") {
      sound = false;
      issues.add(
        { start: backslash, end: Math.min(backslash + 2, to) },
        read,
        "write \\\\ for a backslash, or a raw string: r'…'",
      );
      at = backslash + 2;
    } else {
      pieces.push(read.piece);
      at = read.end;
    }
  }
  if (!sound) return undefined;
  if (!bytes) return pieces.join("");
  return new Bytes(concatenate(pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece))));
}

/** The value of an escape and where it ends, or what is wrong with it. */
function readEscape(text: string, at: number, bytes: boolean): { piece: string | Uint8Array; end: number } | string {
  const letter = text[at + 1] as string;
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { piece: simple, end: at + 2 };
  OCTAL.lastIndex = at + 1;
  const octal = OCTAL.exec(text)?.[0];
  if (octal !== undefined) return { piece: codeUnit(Number.parseInt(octal, 8), bytes), end: at + 4 };
  const numeric = NUMERIC_ESCAPES.get(letter);
  if (numeric === undefined) return `there is no escape \\${letter}`;
  const [digits, pattern] = numeric;
  pattern.lastIndex = at + 2;
  const found = pattern.exec(text)?.[0];
  if (found === undefined) return `\\${letter} needs ${digits} hexadecimal digits`;
  const code = Number.parseInt(found, 16);
  const end = at + 2 + digits;
  if (digits === 2) return { piece: codeUnit(code, bytes), end };
  if (bytes) return `\\${letter} cannot stand in bytes`;
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return `\\${letter}${found} is no character`;
  return { piece: String.fromCodePoint(code), end };
}

/** In bytes a number is one byte, in a string one code point. */
function codeUnit(code: number, bytes: boolean): string | Uint8Array {
  return bytes ? Uint8Array.of(code) : String.fromCodePoint(code);
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
