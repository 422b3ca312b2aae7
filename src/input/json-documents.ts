// Where does one JSON document end and the next begin? Handles JSON lines at the speed of `JSON.parse`, documents
// that span lines or share a line, and lists longer than a document may be. After a broken document reading continues
// at the next line that begins with `{`.

import type { Json } from "../model/json.ts";
import {
  deliver,
  passOver,
  type Reading,
  reportDamage,
  reportFault,
  reportRepeated,
  reportTooLong,
} from "./document.ts";
import { EndOfValue } from "./end-of-value.ts";
import { type RepeatedKey, readJson } from "./json-text.ts";
import { quickJson } from "./json-value.ts";
import { DAMAGE } from "./whole-lines.ts";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;

/** The beginning of a Kubernetes list, up to its first item. */
const LIST_HEAD = /^\{(?:\s*"(?:apiVersion|kind|metadata)"\s*:\s*(?:"[^"]*"|\{[^{}]*\})\s*,)*\s*"items"\s*:\s*\[/;
const MAX_LIST_HEAD_LENGTH = 4096;
const PATIENCE = 64 * 1024 * 1024;

/** Reads the JSON documents of one source; text is pushed in pieces. */
export class JsonDocuments {
  readonly #reading: Reading;
  #buffer = "";
  /** Where the next document begins in the buffer. */
  #at = 0;
  #line = 1;
  /** Where the line of the cursor begins in the buffer; negative if that was before it. */
  #lineStart = 0;
  /** Some bytes of the source were not UTF-8. */
  #damaged = false;
  /** A broken document is being skipped. */
  #skipping = false;
  /** A list is being read item by item, because it is longer than a document may be. */
  #inItems = false;
  /** The document at the cursor is too long, which was reported; only its end is searched. */
  #overlong = false;
  readonly #end = new EndOfValue();
  /** How far the end of a broken document is still searched beyond lines that begin like a document. */
  #patience = PATIENCE;
  /** The text from a line `---` on: what follows is YAML, a superset of JSON. */
  rest: { readonly text: string; readonly line: number } | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Reads all complete documents; with `last`, also reports an incomplete one. */
  push(text: string, damaged: boolean, last: boolean): void {
    this.#buffer = this.#buffer.slice(this.#at) + text;
    this.#lineStart -= this.#at;
    this.#at = 0;
    this.#damaged ||= damaged;
    if (this.#skipping && !this.#resume(0)) return;
    while (this.#skipWhitespace() && this.#document(last));
  }

  /** The source is truncated: the rest may be half a document. */
  breakOff(rest: string): void {
    passOver(this.#reading, this.#buffer.slice(this.#at) + rest, this.#line);
  }

  /** Reads the document at the cursor; false if there is no more to read in the buffer. */
  #document(last: boolean): boolean {
    if (!this.#end.begun && !this.#inItems) {
      const newline = this.#buffer.indexOf("\n", this.#at);
      if (newline >= 0 && this.#wholeLine(newline)) return true;
    }
    if (this.#patience === 0 && !this.#inItems && this.#upToNextLine()) return true;
    const end = this.#end.find(this.#buffer, this.#at);
    const isOpen = end === "open";
    const length = (isOpen ? this.#buffer.length : Number(end)) - this.#at;
    if (end === "broken") return this.#broken(last);
    if (this.#overlong) return isOpen ? this.#forget(last) : this.#afterOverlong(end);
    const { maxDocumentBytes } = this.#reading.limits;
    const isLong = length > maxDocumentBytes;
    // Only as much as a document may hold is looked at, so that the result does not depend on how the text is split.
    const lacksEnd = (isLong || (isOpen && length > this.#patience)) && this.#hasDocumentLine(maxDocumentBytes);
    if ((isLong || lacksEnd) && !this.#inItems && this.#openList()) return true;
    if (lacksEnd && !this.#inItems) return this.#broken(last);
    if (isLong) {
      reportTooLong(this.#reading, this.#line, this.#column());
      this.#overlong = true;
      return isOpen ? this.#forget(last) : this.#afterOverlong(end);
    }
    if (isOpen) return last && this.#broken(last);
    this.#end.reset();
    const text = this.#buffer.slice(this.#at, end);
    if (!this.#parse(text) && !this.#inItems) return this.#resume(this.#at + 1);
    this.#advance(end);
    return true;
  }

  /** Reads the text before the next line that begins like a document as one; false if no line does. */
  #upToNextLine(): boolean {
    const next = this.#buffer.indexOf("\n{", this.#at) + 1;
    if (next === 0) return false;
    this.#end.reset();
    this.#parse(this.#buffer.slice(this.#at, next));
    this.#advance(next);
    return true;
  }

  /** Does a line from the cursor on begin like a document? Then an end is missing before it. */
  #hasDocumentLine(length: number): boolean {
    const next = this.#buffer.indexOf("\n{", this.#at);
    return next >= 0 && next < this.#at + length;
  }

  /** Drops the text of a document that is too long, but keeps the state of the search for its end. */
  #forget(last: boolean): boolean {
    passOver(this.#reading, this.#buffer.slice(this.#at), this.#line);
    this.#advance(this.#buffer.length);
    this.#end.forget();
    if (last) this.#end.reset();
    return false;
  }

  #afterOverlong(end: number): boolean {
    this.#overlong = false;
    this.#end.reset();
    passOver(this.#reading, this.#buffer.slice(this.#at, end), this.#line);
    this.#advance(end);
    return true;
  }

  /** Tries to read the rest of the line as one document, which it nearly always is. */
  #wholeLine(newline: number): boolean {
    const text = this.#buffer.slice(this.#at, newline);
    const value = this.#quickly(text);
    if (value === undefined) return false;
    deliver(this.#reading, value, this.#line, this.#column(), "JSON");
    this.#at = newline + 1;
    this.#line++;
    this.#lineStart = this.#at;
    return true;
  }

  /** The value of a text that `JSON.parse` reads without loss; otherwise undefined. */
  #quickly(text: string): Json | undefined {
    const { limits } = this.#reading;
    if (text.length > limits.maxDocumentBytes || this.#isDamaged(text)) return undefined;
    // Only objects are documents; JSON.parse would take gigabytes for a hostile list.
    if (text.charCodeAt(0) !== OPEN_BRACE) return undefined;
    if (this.#reading.unambiguous?.concerns(text)) return undefined;
    return quickJson(text, limits.maxDepth);
  }

  #parse(text: string, isLast = false): boolean {
    const { limits } = this.#reading;
    const column = this.#column();
    if (this.#isDamaged(text)) {
      reportDamage(this.#reading, text, this.#line, column);
      return true;
    }
    let value = this.#quickly(text);
    const repeated: RepeatedKey[] = [];
    try {
      value ??= readJson(text, limits.maxDepth, repeated);
    } catch (fault) {
      reportFault(this.#reading, fault, text, this.#line, column, isLast);
      return false;
    }
    reportRepeated(this.#reading, repeated, text, this.#line, column);
    deliver(this.#reading, value, this.#line, column, "JSON");
    return true;
  }

  /** The text at the cursor is not a document: reports why and continues after it. */
  #broken(last: boolean): boolean {
    this.#patience = Math.max(0, this.#patience - (this.#buffer.length - this.#at));
    // The error is before the next line that looks like the beginning of a document.
    const next = this.#buffer.indexOf("\n{", this.#at);
    this.#parse(this.#buffer.slice(this.#at, next < 0 ? undefined : next + 1), last && next < 0);
    return this.#resume(this.#at + 1);
  }

  /** Continues at the first line from a position on that begins with `{`; false if there is none in the buffer. */
  #resume(from: number): boolean {
    this.#end.reset();
    this.#inItems = false;
    this.#overlong = false;
    const here = from === this.#lineStart && this.#buffer.charCodeAt(from) === OPEN_BRACE;
    const newline = here ? from - 1 : this.#buffer.indexOf("\n{", from);
    this.#skipping = !here && newline < 0;
    const to = this.#skipping ? this.#buffer.length : newline + 1;
    passOver(this.#reading, this.#buffer.slice(this.#at, to), this.#line);
    this.#advance(to);
    return !this.#skipping;
  }

  /** If a Kubernetes list begins at the cursor, moves to its first item, to read it item by item. */
  #openList(): boolean {
    const head = LIST_HEAD.exec(this.#buffer.slice(this.#at, this.#at + MAX_LIST_HEAD_LENGTH));
    if (head === null) return false;
    this.#end.reset();
    this.#inItems = true;
    this.#advance(this.#at + head[0].length);
    return true;
  }

  /** Moves the cursor over whitespace, and in a list over its commas and its end; false at the end of the buffer. */
  #skipWhitespace(): boolean {
    if (this.#end.begun) return true;
    for (; this.#at < this.#buffer.length; this.#at++) {
      const unit = this.#buffer.charCodeAt(this.#at);
      if (unit === NEWLINE) {
        this.#line++;
        this.#lineStart = this.#at + 1;
      } else if (unit === CLOSE_BRACKET && this.#inItems) {
        return this.#resume(this.#at + 1); // the rest of the list is not needed
      } else if (unit !== SPACE && unit !== CARRIAGE_RETURN && unit !== TAB && !(unit === COMMA && this.#inItems))
        return unit !== HYPHEN || !this.#separator();
    }
    return false;
  }

  /** Stops at a line that separates YAML documents; what it leaves is in {@link rest}. */
  #separator(): boolean {
    if (this.#at !== this.#lineStart || !/^---(?=\s|$)/.test(this.#buffer.slice(this.#at, this.#at + 4))) return false;
    this.rest = { text: this.#buffer.slice(this.#at), line: this.#line };
    return true;
  }

  #advance(to: number): void {
    for (let at = this.#buffer.indexOf("\n", this.#at); at >= 0 && at < to; at = this.#buffer.indexOf("\n", at + 1)) {
      this.#line++;
      this.#lineStart = at + 1;
    }
    this.#at = to;
  }

  #column(): number {
    return this.#at - this.#lineStart + 1;
  }

  #isDamaged(text: string): boolean {
    return this.#damaged && text.includes(DAMAGE);
  }
}
