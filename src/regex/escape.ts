// Which character, or which class of them, does a backslash stand for?
import { type CharacterSet, complementOf, LAST_CHARACTER, setOfPairs } from "./character-set.ts";
import { withOtherCases } from "./fold.ts";
import type { PatternReader } from "./reader.ts";
import { unicodeClass } from "./unicode.ts";

/** Characters that an escape such as `\d`, `\pL` or `[:alpha:]` stands for. */
export interface EscapedClass {
  readonly set: CharacterSet;
  /** Is it one of Unicode's classes, which may have hundreds of ranges? */
  readonly isUnicode: boolean;
}

/** The characters of control that have a letter. */
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["a", 0x07],
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["v", 0x0b],
]);

/** Perl's classes, in pairs of first and last characters; in upper case they stand for all others. */
const PERL_CLASSES: ReadonlyMap<string, string> = new Map([
  ["d", "09"],
  ["s", "\t\n\f\r  "],
  ["w", "09AZ__az"],
]);

/** POSIX's classes, in the same pairs. */
const POSIX_CLASSES: ReadonlyMap<string, string> = new Map([
  ["alnum", "09AZaz"],
  ["alpha", "AZaz"],
  ["ascii", "\0\x7f"],
  ["blank", "\t\t  "],
  ["cntrl", "\0\x1f\x7f\x7f"],
  ["digit", "09"],
  ["graph", "!~"],
  ["lower", "az"],
  ["print", " ~"],
  ["punct", "!/:@[`{~"],
  ["space", "\t\r  "],
  ["upper", "AZ"],
  ["word", "09AZ__az"],
  ["xdigit", "09AFaf"],
]);

/** Reads one character, escaped by the backslash that is next. */
export function readEscape(reader: PatternReader): number {
  const from = reader.at;
  reader.take("\\");
  if (!reader.more) throw reader.fault("trailing backslash", from);
  // Up to three digits; one alone, other than 0, would refer to a group.
  const octal = reader.takeMatch(/0[0-7]{0,2}|[1-7][0-7]{1,2}/y);
  if (octal !== null) return Number.parseInt(octal[0], 8);
  const codePoint = reader.next();
  const letter = String.fromCodePoint(codePoint);
  const control = CONTROLS.get(letter);
  if (control !== undefined) return control;
  if (letter === "x") return readHexadecimal(reader, from);
  if (codePoint >= 0x80 || /[0-9A-Za-z]/.test(letter)) throw reader.fault("escape", from);
  return codePoint;
}

/** Reads what is after `\x`: two digits, or any number of them in braces. */
function readHexadecimal(reader: PatternReader, from: number): number {
  const pair = reader.takeMatch(/[0-9A-Fa-f]{2}/y);
  if (pair !== null) return Number.parseInt(pair[0], 16);
  if (!reader.take("{")) {
    for (let missing = 2; missing > 0 && reader.more; missing--) reader.next();
    throw reader.fault("escape", from);
  }
  let value = 0;
  let digits = 0;
  while (reader.more) {
    const character = String.fromCodePoint(reader.next());
    if (character === "}" && digits > 0) return value;
    if (!/[0-9A-Fa-f]/.test(character)) break;
    value = 16 * value + Number.parseInt(character, 16);
    if (value > LAST_CHARACTER) break;
    digits++;
  }
  throw reader.fault("escape", from);
}

/** Reads `\d`, `\pL`, `\p{Greek}` or the like, if that is next. */
export function readEscapedClass(reader: PatternReader, ignoresCase: boolean): EscapedClass | undefined {
  if (reader.isAhead("\\p") || reader.isAhead("\\P")) return readUnicodeClass(reader, ignoresCase);
  const letter = reader.takeMatch(/\\[dswDSW]/y)?.[0].charAt(1);
  if (letter === undefined) return undefined;
  const lower = letter.toLowerCase();
  return asciiClass(PERL_CLASSES.get(lower) as string, letter !== lower, ignoresCase);
}

/** Reads `[:alpha:]` or `[:^alpha:]` inside brackets, if that is next. */
export function readPosixClass(reader: PatternReader, ignoresCase: boolean): EscapedClass | undefined {
  const from = reader.at;
  const end = reader.isAhead("[:") ? reader.pattern.indexOf(":]", from + 2) : -1;
  if (end < 0) return undefined;
  reader.at = end + 2;
  const written = reader.pattern.slice(from + 2, end);
  const name = written.replace(/^\^/, "");
  const pairs = POSIX_CLASSES.get(name);
  if (pairs === undefined) throw reader.fault("characters", from);
  return asciiClass(pairs, name !== written, ignoresCase);
}

function readUnicodeClass(reader: PatternReader, ignoresCase: boolean): EscapedClass {
  const from = reader.at;
  const match = reader.takeMatch(/\\([pP])(?:\{(\^?)([^}]*)\}|([^{]))/suy);
  if (match === null) throw reader.fault("characters", from, reader.pattern.length);
  const [, letter, caret = "", name = "", single = ""] = match;
  const named = unicodeClass(name + single);
  if (named === undefined) throw reader.fault("characters", from);
  return { set: cased(named, (letter === "P") !== (caret === "^"), ignoresCase), isUnicode: true };
}

function asciiClass(pairs: string, negated: boolean, ignoresCase: boolean): EscapedClass {
  return { set: cased(setOfPairs(pairs), negated, ignoresCase), isUnicode: false };
}

/** The other characters are those that are also in another case not in the set. */
function cased(set: CharacterSet, negated: boolean, ignoresCase: boolean): CharacterSet {
  const all = ignoresCase ? withOtherCases(set) : set;
  return negated ? complementOf(all) : all;
}
