// Where does one YAML document end and the next begin? At lines that begin with `---`, as in Kubernetes, so that a
// broken document never affects another one. A `List` longer than a document may be is split into its items.

import type { Json } from "../model/json.ts";
import {
  BoundFault,
  checkBounds,
  deliver,
  passOver,
  type Reading,
  reportDamage,
  reportFault,
  reportRepeated,
  reportTooLong,
} from "./document.ts";
import { TextFault } from "./json-text.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { foundPosition, wantedPaths } from "./wanted-paths.ts";
import { DAMAGE } from "./whole-lines.ts";
import { locateInYaml, readYaml } from "./yaml-text.ts";

const SEPARATOR = /^---(?=[ \t\r\n]|$)/;
/** Only comments, empty lines and directives: the head of the next document. */
const PREAMBLE = /^(?:[ \t]*(?:#.*)?\r?\n|%.*\n)*$/;
const MAX_PREAMBLE_LENGTH = 4096;
const MAX_LIST_HEAD_LENGTH = 65_536;
/** How much text of whole documents is read at once. */
const READ_TOGETHER = 128 * 1024;
/** Aliases, which can multiply values, and numbers that JSON does not have: such documents are checked closely. */
const NOT_PLAIN = /\*|\.inf|\.nan/i;

/** Reads the YAML documents of one source; text is pushed in pieces of whole lines. */
export class YamlDocuments {
  readonly #reading: Reading;
  /** The lines of the current document. */
  #parts: string[] = [];
  #length = 0;
  #line: number;
  /** Some bytes of the source were not UTF-8. */
  #damaged = false;
  /** A document that is too long is being skipped. */
  #skipping = false;
  /** A list is being read item by item, because it is longer than a document may be. */
  #inItems = false;

  /** `line` is where the text begins in its source. */
  constructor(reading: Reading, line = 1) {
    this.#reading = reading;
    this.#line = line;
  }

  /** Reads all complete documents; with `last`, the rest as well. */
  push(text: string, damaged: boolean, last: boolean): void {
    this.#damaged ||= damaged;
    let start = 0;
    let oneByOneUntil = 0;
    for (let at = separatorFrom(text, 0); at >= 0; at = separatorFrom(text, at + 3)) {
      this.#gather(text.slice(start, at));
      if (!this.#isPreamble()) this.#finish();
      start = at;
      if (this.#length === 0 && !this.#damaged && at >= oneByOneUntil) {
        const { end, isRead } = this.#together(text, at);
        if (isRead) {
          start = end;
          at = end;
        } else oneByOneUntil = end;
      }
    }
    this.#gather(text.slice(start));
    if (last) this.#finish(true);
  }

  /** The source is truncated: the rest may be half a document. */
  breakOff(rest: string): void {
    passOver(this.#reading, this.#take() + rest, this.#line);
  }

  /**
   * Reads several whole documents at once, which takes two thirds of the time; returns up to where. If there is something
   * to report about any of them, nothing is read, and they must be read one by one.
   */
  #together(text: string, start: number): { readonly end: number; readonly isRead: boolean } {
    const starts = [start];
    while ((starts.at(-1) as number) - start < READ_TOGETHER) {
      const next = separatorFrom(text, (starts.at(-1) as number) + 3);
      if (next < 0) break;
      starts.push(next);
    }
    const end = starts.pop() as number;
    const notRead = { end, isRead: false };
    if (starts.length < 2 || end - start > this.#reading.limits.maxDocumentBytes) return notRead;
    const documents = starts.map((from, index) => text.slice(from, starts[index + 1] ?? end));
    const values = this.#plainValues(documents) ?? this.#valuesOf(text.slice(start, end), documents.length);
    if (values === undefined) return notRead; // read one by one, they report it
    for (const [index, document] of documents.entries()) {
      deliver(this.#reading, values[index], this.#line + contentLine(document), 1, "YAML");
      this.#line += countLines(document);
    }
    return { end, isRead: true };
  }

  /** The values of documents that are all as generators write them. */
  #plainValues(documents: readonly string[]): readonly Json[] | undefined {
    const values: Json[] = [];
    for (const document of documents) {
      const value = readPlainYaml(document, this.#reading.limits);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }

  /** The values of a text with a number of documents; undefined if something about one of them must be reported. */
  #valuesOf(text: string, count: number): readonly (Json | undefined)[] | undefined {
    if (NOT_PLAIN.test(text)) return undefined;
    try {
      const { values, duplicates } = readYaml(text, this.#reading.limits);
      return values.length === count && duplicates.length === 0 ? values : undefined;
    } catch {
      return undefined;
    }
  }

  #gather(text: string): void {
    if (text === "") return;
    if (this.#skipping) {
      passOver(this.#reading, text, this.#line);
      this.#line += countLines(text);
      return;
    }
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length > this.#reading.limits.maxDocumentBytes) this.#tooLong();
  }

  #isPreamble(): boolean {
    if (this.#skipping || this.#inItems || this.#length > MAX_PREAMBLE_LENGTH) return false;
    const text = this.#parts.join("");
    return !text.startsWith("---") && PREAMBLE.test(text);
  }

  /** Reads the current document, with which the source may end. */
  #finish(isLast = false): void {
    const text = this.#take();
    if (!this.#skipping && !this.#inItems) this.#document(text, 1, isLast);
    else if (this.#inItems) this.#items(text, true, isLast);
    if (!isLast) this.#line += countLines(text);
    this.#skipping = false;
    this.#inItems = false;
  }

  #take(): string {
    const text = this.#parts.join("");
    this.#parts = [];
    this.#length = 0;
    return text;
  }

  /** The document exceeds the limit: a list is read by items, anything else is skipped. */
  #tooLong(): void {
    const text = this.#take();
    this.#inItems ||= /^items:[ \t]*\r?\n- /m.test(text.slice(0, MAX_LIST_HEAD_LENGTH));
    const rest = this.#inItems ? this.#items(text, false) : text;
    const restLine = this.#line + countLines(text) - countLines(rest);
    if (this.#inItems && rest.length <= this.#reading.limits.maxDocumentBytes) {
      this.#parts = [rest];
      this.#length = rest.length;
      this.#line = restLine;
      return;
    }
    reportTooLong(this.#reading, restLine, 1);
    passOver(this.#reading, rest, restLine);
    this.#line += countLines(text);
    this.#inItems = false;
    this.#skipping = true;
  }

  /** Reads the items that begin at `- ` in the first column; returns the last one unless everything is there. */
  #items(text: string, all: boolean, isLast = false): string {
    const starts = [...text.matchAll(/^- /gm)].map((match) => match.index);
    const line = this.#line;
    let before = 0;
    let linesBefore = 0;
    for (const [index, start] of starts.entries()) {
      const last = index === starts.length - 1;
      if (last && !all) return text.slice(start);
      const end = last ? afterItems(text, start) : (starts[index + 1] as number);
      linesBefore += countLines(text.slice(before, start));
      before = start;
      this.#line = line + linesBefore;
      if (end - start > this.#reading.limits.maxDocumentBytes) {
        reportTooLong(this.#reading, this.#line, 1);
        passOver(this.#reading, text.slice(start, end), this.#line);
      } else this.#document(`  ${text.slice(start + 2, end)}`, 3, isLast && end === text.length);
      this.#line = line;
    }
    return "";
  }

  #document(text: string, column: number, isLast: boolean): void {
    if (text.trim() === "") return;
    if (this.#damaged && text.includes(DAMAGE)) {
      reportDamage(this.#reading, text, this.#line, 1);
      return;
    }
    const plain = readPlainYaml(text, this.#reading.limits);
    if (plain !== undefined) {
      deliver(this.#reading, plain, this.#line + contentLine(text), column, "YAML");
      return;
    }
    try {
      const { values, duplicates } = readYaml(text, this.#reading.limits);
      reportRepeated(this.#reading, duplicates, text, this.#line, 1);
      for (const value of values) {
        checkBounds(value, this.#reading.limits);
        deliver(this.#reading, value, this.#line + contentLine(text), column, "YAML");
      }
    } catch (error) {
      reportFault(this.#reading, this.#faultOf(error, text), text, this.#line, 1, isLast);
    }
  }

  /** A value that exceeds a limit, as a fault at its position. */
  #faultOf(error: unknown, text: string): unknown {
    if (!(error instanceof BoundFault)) return error;
    const wanted = wantedPaths([error]);
    const original = locateInYaml(text, wanted, this.#reading.limits);
    const position = original(foundPosition(wanted, error).position);
    return new TextFault(error.message, error.path.length === 0 ? 0 : position, undefined, error.isLimit);
  }
}

/** The next line at or after a position that begins with `---`, or -1. */
function separatorFrom(text: string, from: number): number {
  if (from === 0 && SEPARATOR.test(text)) return 0;
  for (let at = text.indexOf("\n---", from); at >= 0; at = text.indexOf("\n---", at + 4))
    if (SEPARATOR.test(text.slice(at + 1, at + 5))) return at + 1;
  return -1;
}

/** Number of lines before the first content of a document: its separator, comments and empty lines. */
function contentLine(text: string): number {
  let line = 0;
  for (let at = 0; at >= 0 && at < text.length; line++) {
    const end = text.indexOf("\n", at);
    const content = text
      .slice(at, end < 0 ? undefined : end)
      .replace(/^---(?=\s|$)/, "")
      .trim();
    if (content !== "" && !content.startsWith("#") && !content.startsWith("%")) return line;
    at = end < 0 ? -1 : end + 1;
  }
  return 0;
}

/** The end of the last item of a list: where a line begins with a key of the list itself. */
function afterItems(text: string, start: number): number {
  const next = /\n(?=[^\s#-])/.exec(text.slice(start));
  return next === null ? text.length : start + next.index + 1;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
