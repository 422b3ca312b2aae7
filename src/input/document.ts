// What happens with a document that was read, and with one that could not be?

import { finding, type Report } from "../model/finding.ts";
import { canonicalText, isList, isObject, type Json, type JsonObject, typeName } from "../model/json.ts";
import { type Path, type Place, wholeSource } from "../model/place.ts";
import { type RepeatedKey, TextFault } from "./json-text.ts";
import { type Limits, printBytes } from "./limits.ts";
import { DAMAGE } from "./whole-lines.ts";

/** A document and its place. */
export interface PlacedDocument {
  readonly value: JsonObject;
  readonly place: Place;
  /** The text of its file, if nothing else is in it: it can be read again, which takes less memory than keeping the value. */
  readonly file?: Uint8Array;
}

/** Takes the documents of a source, one after another. */
export type DocumentSink = (value: JsonObject, place: Place) => void;

/** The context of every document reader. */
export interface Reading {
  /** The name of the source for messages. */
  readonly source: string;
  readonly limits: Limits;
  readonly report: Report;
  readonly sink: DocumentSink;
  /** Takes the text of what could not be read, in pieces of whole lines; the place is where the text begins. */
  readonly lost?: LostSink | undefined;
  /** Documents in which duplicate keys are ambiguous. */
  readonly unambiguous?: Unambiguous | undefined;
}

/** Documents in which a duplicate key is more than a mistake: readers differ in which value they use. */
export interface Unambiguous {
  /** Could a text contain such a document? */
  concerns(text: string): boolean;
  /** Takes the text of one with a duplicate key; it is read anyway. */
  readonly onDuplicate: (text: string, place: Place) => void;
}

/** Takes text that could not be read; unless it is whole, the source ends too early, and more is lost. */
export type LostSink = (text: string, place: Place, isWhole: boolean) => void;

/** Forwards text that could not be read; undefined line for a part of something without lines. */
export function passOver({ source, lost }: Reading, text: string, line?: number, isWhole = true): void {
  lost?.(text, line === undefined ? wholeSource(source) : { source, line, column: 1 }, isWhole);
}

/** Forwards a value if it is an object within the limits, otherwise reports what is wrong with it. */
export function deliver(
  reading: Reading,
  value: Json | undefined,
  line: number,
  column: number,
  language: "JSON" | "YAML",
): void {
  const place: Place = { source: reading.source, line, column };
  if (value === undefined || value === null) return; // an empty document
  if (!isObject(value)) {
    if (reading.lost !== undefined) passOver(reading, canonicalText(value), line);
    reading.report(
      finding("PL006", place, {
        message: `this document is ${typeName(value)}, not an object`,
        help: isList(value)
          ? listHelp(value, language)
          : "a document begins with `schema:` or with `apiVersion:` and `kind:`",
        dropped: "document",
      }),
    );
    return;
  }
  reading.sink(value, place);
}

function listHelp(items: readonly Json[], language: "JSON" | "YAML"): string {
  const [first] = items;
  const help = `write each item as a separate document, ${language === "JSON" ? "one after another" : "separated by ---"}`;
  return isObject(first) && Object.hasOwn(first, "kind")
    ? `${help}; or make it the \`items:\` of a \`kind: List\``
    : help;
}

/**
 * Reports why a document cannot be read; `text` begins at the given line and column of the source. With `isLast` the
 * source ends with it: if the text is valid up to its end, the source was truncated.
 */
export function reportFault(
  reading: Reading,
  fault: unknown,
  text: string,
  line: number,
  column: number,
  isLast: boolean,
): void {
  if (!(fault instanceof TextFault)) throw fault;
  passOver(reading, text, line, !(isLast && endsAt(text, fault.position)));
  const [place] = exactPlaces({ source: reading.source, line, column }, text, [fault.position]) as [Place];
  reading.report(
    finding(fault.isLimit ? "PL004" : "PL003", place, {
      message: fault.message,
      ...(fault.help !== undefined && { help: fault.help }),
      dropped: "document",
    }),
  );
}

/** Does a text end at a position, or inside the word or the quoted text that begins there? */
function endsAt(text: string, position: number): boolean {
  if (text[position] !== '"') return /^[\w.+-]*\s*$/.test(text.slice(position));
  for (let quote = text.indexOf('"', position + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === "\\") before--;
    if ((quote - before) % 2 === 0) return false;
  }
  return true;
}

/** Reports duplicate keys of a document; `text` begins at the given line and column of the source. */
export function reportRepeated(
  { source, report, unambiguous }: Reading,
  repeated: readonly RepeatedKey[],
  text: string,
  line: number,
  column: number,
): void {
  if (repeated.length === 0) return;
  if (unambiguous?.concerns(text)) unambiguous.onDuplicate(text, { source, line, column });
  const positions = repeated.map(({ position }) => position);
  for (const [index, place] of exactPlaces({ source, line, column }, text, positions).entries()) {
    const message = `the key ${JSON.stringify(repeated[index]?.key)} appears twice in one object`;
    report(finding("PL005", place, { message, help: "remove one; the last one is used" }));
  }
}

/** Reports bytes of a document that are not UTF-8; `text` is the document, with {@link DAMAGE} in their place. */
export function reportDamage(reading: Reading, text: string, line: number, column: number): void {
  passOver(reading, text, line);
  const [place] = exactPlaces({ source: reading.source, line, column }, text, [text.indexOf(DAMAGE)]) as [Place];
  const message = "this is not UTF-8 text";
  reading.report(finding("PL002", place, { message, help: "save the file as UTF-8", dropped: "document" }));
}

/** Reports a document that exceeds the limit. */
export function reportTooLong({ source, limits, report }: Reading, line: number, column: number): void {
  const message = `a document is longer than ${printBytes(limits.maxDocumentBytes)}`;
  const help = "raise --max-document-bytes if that is intended";
  report(finding("PL004", { source, line, column, exact: true }, { message, help, dropped: "document" }));
}

/** Line and column of a position, from 0, the column in code points; and the start of its line. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
  readonly lineStart: number;
}

/** The places of positions of a text that begins at a line and column of its source. */
export function exactPlaces(
  { source, line: first, column: start }: Place,
  text: string,
  positions: readonly number[],
): readonly Place[] {
  return positionsIn(text, positions).map(({ line, column }) => ({
    source,
    line: first + line,
    column: line === 0 ? start + column : column + 1,
    exact: true,
  }));
}

/** The lines and columns of many positions, found in one pass over the text; in the order given. */
export function positionsIn(text: string, positions: readonly number[]): readonly TextPosition[] {
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] as number) - (positions[b] as number));
  const found: TextPosition[] = [];
  let line = 0;
  let lineStart = 0;
  let newline = text.indexOf("\n");
  let counted = 0;
  let column = 0;
  for (const index of order) {
    const position = positions[index] as number;
    for (; newline >= 0 && newline < position; newline = text.indexOf("\n", newline + 1)) {
      line++;
      lineStart = newline + 1;
      counted = lineStart;
      column = 0;
    }
    column += countCodePoints(text.slice(counted, position));
    counted = position;
    found[index] = { line, column, lineStart };
  }
  return found;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00 && at + 1 < text.length) at++;
    count++;
  }
  return count;
}

/** A value that exceeds a limit, and its path in the document. */
export class BoundFault extends Error {
  readonly path: Path;
  readonly isLimit: boolean;

  constructor(message: string, path: Path, isLimit: boolean) {
    super(message);
    this.path = path;
    this.isLimit = isLimit;
  }
}

/**
 * Throws a {@link BoundFault} if a value nests too deeply, is expanded too much by aliases, or contains a number that
 * JSON lacks.
 */
export function checkBounds(value: Json | undefined, limits: Limits): void {
  let values = 0;
  const path: (string | number)[] = [];
  const visit = (item: Json): void => {
    if (typeof item === "string") values += item.length >> 4;
    if (++values > limits.maxValues)
      throw new BoundFault("aliases (*name) expand this document to many million values", [], true);
    if (typeof item === "number") {
      if (!Number.isFinite(item)) throw new BoundFault(`${item} is not a number of JSON`, [...path], false);
    } else if (typeof item === "object" && item !== null) {
      if (path.length >= limits.maxDepth)
        throw new BoundFault(
          `objects and lists nest more than ${limits.maxDepth} deep, or an alias (*name) contains itself`,
          path.slice(0, 8),
          true,
        );
      for (const key of Array.isArray(item) ? item.keys() : Object.keys(item)) {
        path.push(key);
        visit((item as JsonObject)[key] as Json);
        path.pop();
      }
    }
  };
  if (value !== undefined) visit(value);
}
