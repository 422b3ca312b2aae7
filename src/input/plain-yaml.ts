// What is the value of a YAML text as generators of manifests write it? Block mappings and lists, plain and quoted text,
// literal blocks, nothing else. This is most of the YAML there is, and it is read here several times as fast as by the
// full parser. Anything unusual, valid or not, is left to that parser: what is read here has the same value there.

import type { Json } from "../model/json.ts";
import { plainScalar } from "./kubernetes-yaml.ts";
import type { Limits } from "./limits.ts";

/**
 * The value of a text with one document, which is within the limits; undefined if the full parser must read it. There are
 * no aliases, so that a text has fewer values than characters.
 */
export function readPlainYaml(text: string, limits: Limits): Json | undefined {
  if (!text.endsWith("\n") || text.length > limits.maxValues || isUnusual(text)) return undefined;
  try {
    return new PlainYaml(text, Math.min(MAX_DEPTH, limits.maxDepth >> 1)).document();
  } catch (error) {
    if (error === UNSURE) return undefined;
    throw error;
  }
}

/** Characters that YAML refuses or that count as line ends, tabs, and pairs of surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
const UNUSUAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;
/** Most texts have only characters of ASCII, and that is found out faster. */
const NOT_ASCII = /[^\n -~]/;

function isUnusual(text: string): boolean {
  const first = text.search(NOT_ASCII);
  return first >= 0 && UNUSUAL.test(text.slice(first));
}

/** Thrown where the full parser must decide. */
const UNSURE = new Error("not plain");
/** No manifest nests as deeply. */
const MAX_DEPTH = 100;

const NEWLINE = 0x0a;
const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const HASH = 0x23;
const SINGLE_QUOTE = 0x27;
const MINUS = 0x2d;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const PIPE = 0x7c;

/** What a character may be: part of a key, its beginning, the beginning of plain text. */
const IN_KEY = 1;
const BEGINS_KEY = 2;
const BEGINS_TEXT = 4;
/** Plain text that begins with it may be a number, a boolean or null. */
const BEGINS_VALUE = 8;
const CLASSES = new Uint8Array(128);
function classify(characters: string, bits: number): void {
  for (const character of characters) CLASSES[character.charCodeAt(0)] = (CLASSES[character.charCodeAt(0)] ?? 0) | bits;
}
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
classify(`${LETTERS}_$`, IN_KEY | BEGINS_KEY | BEGINS_TEXT);
classify("0123456789", IN_KEY | BEGINS_TEXT | BEGINS_VALUE);
classify("./", IN_KEY | BEGINS_TEXT);
classify("-", IN_KEY);
classify("+.~yYnNtTfFoO", BEGINS_VALUE);
classify("+~^()\\;", BEGINS_TEXT);

/** One reading of a text: always at a line that has content. */
class PlainYaml {
  readonly #text: string;
  readonly #maxDepth: number;
  /** Where the current line begins, and where its content does; the indentation is -1 after the last line. */
  #lineStart = 0;
  #start = 0;
  #indent = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  document(): Json | undefined {
    this.#line(this.#text.startsWith("---\n") ? 4 : 0);
    const value = this.#isItem() ? this.#list(0, 0) : this.#mapping(0, 0);
    if (this.#indent >= 0 || (typeof value === "object" && value !== null && Object.keys(value).length === 0))
      throw UNSURE;
    return value;
  }

  /** Goes to the first line with content, from the beginning of a line on. */
  #line(from: number): void {
    const text = this.#text;
    for (let lineStart = from; lineStart < text.length; ) {
      let at = lineStart;
      let unit = text.charCodeAt(at);
      while (unit === SPACE) unit = text.charCodeAt(++at);
      if (unit !== NEWLINE && unit !== HASH) {
        this.#lineStart = lineStart;
        this.#start = at;
        this.#indent = at - lineStart;
        return;
      }
      lineStart = text.indexOf("\n", at) + 1;
    }
    this.#indent = -1;
  }

  /** Does the content of the line begin with `- `? */
  #isItem(): boolean {
    const text = this.#text;
    if (text.charCodeAt(this.#start) !== MINUS) return false;
    const next = text.charCodeAt(this.#start + 1);
    return next === SPACE || next === NEWLINE;
  }

  /** The end of the key that begins at a position, if it is one: the position of its colon; otherwise -1. */
  #keyEnd(start: number): number {
    const text = this.#text;
    let unit = text.charCodeAt(start);
    if (unit > 127 || ((CLASSES[unit] as number) & BEGINS_KEY) === 0) return -1;
    let at = start;
    do unit = text.charCodeAt(++at);
    while (unit < 128 && ((CLASSES[unit] as number) & IN_KEY) !== 0);
    if (unit !== COLON) return -1;
    const next = text.charCodeAt(at + 1);
    return next === SPACE || next === NEWLINE ? at : -1;
  }

  #mapping(indent: number, depth: number): Json {
    if (depth > this.#maxDepth) throw UNSURE;
    const mapping: Record<string, Json> = {};
    while (this.#indent === indent) {
      const end = this.#keyEnd(this.#start);
      if (end < 0) throw UNSURE;
      const key = this.#text.slice(this.#start, end);
      if (key === "__proto__" || (key.length < 6 && typeof plainScalar(key) !== "string")) throw UNSURE;
      const value = this.#value(end + 1, indent, depth, true);
      // A duplicate key is reported; a name that every object inherits is not one.
      if (mapping[key] !== undefined && Object.hasOwn(mapping, key)) throw UNSURE;
      mapping[key] = value;
    }
    if (this.#indent > indent) throw UNSURE;
    return mapping;
  }

  #list(indent: number, depth: number): Json {
    if (depth > this.#maxDepth) throw UNSURE;
    const list: Json[] = [];
    while (this.#indent === indent && this.#isItem()) {
      let at = this.#start + 1;
      while (this.#text.charCodeAt(at) === SPACE) at++;
      if (this.#text.charCodeAt(at) === MINUS && this.#text.charCodeAt(at + 1) === SPACE) throw UNSURE;
      if (this.#keyEnd(at) < 0) list.push(this.#value(at, indent, depth, false));
      else {
        this.#start = at;
        this.#indent = at - this.#lineStart;
        list.push(this.#mapping(this.#indent, depth + 1));
      }
    }
    if (this.#indent > indent) throw UNSURE;
    return list;
  }

  /** The value after a colon or a dash, of a mapping or a list with this indentation. */
  #value(from: number, indent: number, depth: number, isInMapping: boolean): Json {
    const text = this.#text;
    let at = from;
    let unit = text.charCodeAt(at);
    while (unit === SPACE) unit = text.charCodeAt(++at);
    switch (unit) {
      case NEWLINE:
        return this.#below(at + 1, indent, depth, isInMapping);
      case DOUBLE_QUOTE:
        return this.#doubleQuoted(at + 1, indent);
      case SINGLE_QUOTE:
        return this.#singleQuoted(at + 1, indent);
      case PIPE:
        return this.#literal(at + 1, indent);
      case OPEN_BRACE:
        if (!text.startsWith("{}\n", at)) throw UNSURE;
        this.#line(at + 3);
        return {};
      case OPEN_BRACKET:
        if (!text.startsWith("[]\n", at)) throw UNSURE;
        this.#line(at + 3);
        return [];
      default:
        return this.#plain(at, unit, indent);
    }
  }

  /** A value that begins on the next line, or none. */
  #below(from: number, indent: number, depth: number, isInMapping: boolean): Json {
    this.#line(from);
    if (this.#indent > indent)
      return this.#isItem() ? this.#list(this.#indent, depth + 1) : this.#mapping(this.#indent, depth + 1);
    // The items of a list may be as far to the left as its key.
    if (isInMapping && this.#indent === indent && this.#isItem()) return this.#listAt(indent, depth);
    return null;
  }

  #listAt(indent: number, depth: number): Json {
    const list = this.#list(indent, depth + 1);
    if (this.#indent === indent && this.#isItem()) throw UNSURE;
    return list;
  }

  /** Plain text, which may continue on deeper lines. */
  #plain(start: number, unit: number, indent: number): Json {
    const text = this.#text;
    if (
      unit === MINUS
        ? text.charCodeAt(start + 1) === SPACE || text.charCodeAt(start + 1) === NEWLINE
        : !beginsText(unit)
    )
      throw UNSURE;
    const end = text.indexOf("\n", start);
    const first = this.#plainLine(start, end);
    this.#line(end + 1);
    if (this.#indent <= indent) return mayBeValue(unit) ? known(plainScalar(first)) : first;
    if (this.#lineStart !== end + 1) throw UNSURE; // empty lines or comments between
    let whole = first;
    while (this.#indent > indent) {
      if (this.#isItem()) throw UNSURE;
      const lineEnd = text.indexOf("\n", this.#start);
      whole += ` ${this.#plainLine(this.#start, lineEnd)}`;
      this.#line(lineEnd + 1);
      if (this.#indent > indent && this.#lineStart !== lineEnd + 1) throw UNSURE;
    }
    return whole;
  }

  /** A line of plain text, which must not contain a mapping or a comment. */
  #plainLine(start: number, end: number): string {
    const text = this.#text;
    let last = end;
    while (text.charCodeAt(last - 1) === SPACE) last--;
    for (let at = start; at < last; at++) {
      const unit = text.charCodeAt(at);
      if (unit === COLON && (at + 1 === last || text.charCodeAt(at + 1) === SPACE)) throw UNSURE;
      if (unit === HASH && text.charCodeAt(at - 1) === SPACE) throw UNSURE;
    }
    return text.slice(start, last);
  }

  #singleQuoted(start: number, indent: number): string {
    const text = this.#text;
    let end = text.indexOf("'", start);
    let hasQuotes = false;
    while (end >= 0 && text.charCodeAt(end + 1) === SINGLE_QUOTE) {
      hasQuotes = true;
      end = text.indexOf("'", end + 2);
    }
    this.#afterQuoted(end);
    const content = this.#joined(start, end, indent);
    return hasQuotes ? content.replaceAll("''", "'") : content;
  }

  #doubleQuoted(start: number, indent: number): string {
    const text = this.#text;
    let end = start;
    let hasEscapes = false;
    for (let unit = text.charCodeAt(end); unit !== DOUBLE_QUOTE; unit = text.charCodeAt(++end)) {
      if (unit === BACKSLASH) {
        hasEscapes = true;
        end++;
      }
      if (end >= text.length) throw UNSURE;
    }
    this.#afterQuoted(end);
    return hasEscapes ? this.#escaped(start, end, indent) : this.#joined(start, end, indent);
  }

  /** Goes to the next line after a quoted text that ends at a position, and ends its line. */
  #afterQuoted(end: number): void {
    if (end < 0) throw UNSURE;
    let at = end + 1;
    while (this.#text.charCodeAt(at) === SPACE) at++;
    if (this.#text.charCodeAt(at) !== NEWLINE) throw UNSURE;
    this.#line(at + 1);
  }

  /** A part of a quoted text in which a line end, with the spaces around it, is one space. */
  #joined(start: number, end: number, indent: number): string {
    const text = this.#text;
    let newline = text.indexOf("\n", start);
    if (newline < 0 || newline >= end) return text.slice(start, end);
    let whole = "";
    let from = start;
    while (newline >= 0 && newline < end) {
      let last = newline;
      while (last > from && text.charCodeAt(last - 1) === SPACE) last--;
      whole += `${text.slice(from, last)} `;
      from = this.#continued(newline + 1, indent);
      newline = text.indexOf("\n", from);
    }
    return whole + text.slice(from, end);
  }

  /** Where the content of a line inside a quoted text begins. It must be indented, and not be empty. */
  #continued(lineStart: number, indent: number): number {
    let at = lineStart;
    while (this.#text.charCodeAt(at) === SPACE) at++;
    if (at - lineStart <= indent || this.#text.charCodeAt(at) === NEWLINE) throw UNSURE;
    return at;
  }

  /** A double-quoted text with escapes. */
  #escaped(start: number, end: number, indent: number): string {
    const text = this.#text;
    let whole = "";
    for (let at = start; ; ) {
      const backslash = text.indexOf("\\", at);
      if (backslash < 0 || backslash >= end) return whole + this.#joined(at, end, indent);
      whole += this.#joined(at, backslash, indent);
      const escaped = text.charCodeAt(backslash + 1);
      if (escaped === NEWLINE) {
        at = backslash + 2;
        while (text.charCodeAt(at) === SPACE) at++;
        if (at - backslash - 2 <= indent || text.charCodeAt(at) === NEWLINE) throw UNSURE;
        continue;
      }
      const simple = ESCAPES.get(escaped);
      if (simple === undefined) throw UNSURE;
      whole += simple;
      at = backslash + 2;
      // Spaces before a line end belong to the text if the last of them is escaped.
      if (escaped === SPACE && /^ *\n/.test(text.slice(at, at + 200))) throw UNSURE;
    }
  }

  /** The lines of a literal block, without their indentation. */
  #literal(from: number, indent: number): string {
    const text = this.#text;
    let at = from;
    const isStripped = text.charCodeAt(at) === MINUS;
    if (isStripped) at++;
    if (text.charCodeAt(at) !== NEWLINE) throw UNSURE;
    let lineStart = at + 1;
    let start = lineStart;
    while (text.charCodeAt(start) === SPACE) start++;
    const inner = start - lineStart;
    if (inner <= indent || start >= text.length || text.charCodeAt(start) === NEWLINE) throw UNSURE;
    let whole = "";
    let empty = "";
    for (;;) {
      const end = text.indexOf("\n", start);
      whole += `${empty}${text.slice(lineStart + inner, end + 1)}`;
      empty = "";
      for (lineStart = end + 1; ; lineStart = start + 1) {
        start = lineStart;
        const most = lineStart + inner;
        while (start < most && text.charCodeAt(start) === SPACE) start++;
        if (text.charCodeAt(start) !== NEWLINE) break;
        empty += "\n";
      }
      if (start - lineStart < inner || start >= text.length) break;
    }
    this.#line(lineStart);
    // Anything else that is deeper than the key would be a mistake, or a comment.
    if (start < text.length && (this.#lineStart !== lineStart || this.#indent > indent)) throw UNSURE;
    return isStripped ? whole.slice(0, -1) : whole;
  }
}

/** Escapes of double-quoted text that are common. */
const ESCAPES: ReadonlyMap<number, string> = new Map(
  (
    [
      ["n", "\n"],
      ["t", "\t"],
      ["r", "\r"],
      ['"', '"'],
      ["\\", "\\"],
      ["/", "/"],
      [" ", " "],
    ] as const
  ).map(([character, meaning]) => [character.charCodeAt(0), meaning]),
);

function beginsText(unit: number): boolean {
  return unit > 127 || ((CLASSES[unit] as number) & BEGINS_TEXT) !== 0;
}

function mayBeValue(unit: number): boolean {
  return unit === MINUS || (unit < 128 && ((CLASSES[unit] as number) & BEGINS_VALUE) !== 0);
}

/** A value of JSON. */
function known(value: Json): Json {
  if (typeof value === "number" && !Number.isFinite(value)) throw UNSURE;
  return value;
}
