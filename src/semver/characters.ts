/**
 * Which characters have a meaning in versions and ranges?
 * Everything works on character codes, so that parsing a version creates no temporary strings.
 */

/** The longest version or range that is parsed; anything longer is a mistake, or an attack. */
export const MAX_LENGTH = 1024;

/** Codes of the characters that divide a version. */
export const PLUS = 0x2b;
export const HYPHEN = 0x2d;
export const DOT = 0x2e;
export const ZERO = 0x30;
const NINE = 0x39;

/** Is this the code of one of 0 to 9? */
export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Is this character allowed in a pre-release or build metadata: letter, digit or hyphen? */
export function isIdentifierCharacter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || isDigit(code) || (code >= 0x41 && code <= 0x5a) || code === HYPHEN;
}

/** Where the digits that begin at `from` end; `from` itself when there is none. */
export function digitsEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Is the text made of digits only, at least one? */
export function isAllDigits(text: string): boolean {
  return text.length > 0 && digitsEnd(text, 0) === text.length;
}

/** The text without white space at both ends. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** White space as in Go: next line (U+0085) is included, the byte order mark is not, unlike in String.trim. */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x80) return false;
  return (code >= 0x2000 && code <= 0x200a) || OTHER_SPACES.includes(code);
}

const OTHER_SPACES = [0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000];
