// Which documents are in this stream of bytes? The only path from bytes to values: detects JSON or YAML, splits the
// text into documents, and passes each on as soon as it is complete.

import { finding } from "../model/finding.ts";
import type { JsonObject } from "../model/json.ts";
import { wholeSource } from "../model/place.ts";
import { passOver, type Reading } from "./document.ts";
import { JsonDocuments } from "./json-documents.ts";
import { type Limits, MAX_DOCUMENT_BYTES } from "./limits.ts";
import { concat, type Piece, WholeLines } from "./whole-lines.ts";
import { YamlDocuments } from "./yaml-documents.ts";

/** Reads every document of a source. Unreadable text is reported, not thrown. */
export async function readDocuments(chunks: AsyncIterable<Uint8Array>, reading: Reading): Promise<void> {
  const documents = new Documents(reading);
  try {
    for await (const chunk of chunks) if (!documents.push(chunk)) return;
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    reading.report(finding("PL001", wholeSource(reading.source), { message: error.message }));
    documents.breakOff();
    return;
  }
  documents.end();
}

/** Reads every document of bytes that are there as a whole. */
export function readBytes(bytes: Uint8Array, reading: Reading): void {
  const documents = new Documents(reading);
  if (documents.push(bytes)) documents.end();
}

/** What was read once was within the limits. */
const NO_LIMITS: Limits = { maxDocumentBytes: MAX_DOCUMENT_BYTES, maxDepth: 2 ** 30, maxValues: 2 ** 30 };

/** Reads the only document of a text again, in which nothing is wrong. */
export function readOnlyDocument(bytes: Uint8Array): JsonObject {
  const values: JsonObject[] = [];
  readBytes(bytes, { source: "", limits: NO_LIMITS, report: () => {}, sink: (value) => values.push(value) });
  return values[0] as JsonObject;
}

/** Thrown by a stream of bytes that ends early; what was read before is kept. */
export class UnreadableError extends Error {}

/** The documents of one source. */
export class Documents {
  readonly #reading: Reading;
  readonly #lines = new WholeLines();
  #format: JsonDocuments | YamlDocuments | undefined;
  /** The first bytes, until there are enough of them to tell text from binary. */
  #head: Uint8Array | undefined = new Uint8Array(0);
  /** Text before the first non-space character. */
  #whitespace = "";
  /** The last characters of binary data. */
  #notText: string | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Takes the next bytes; returns false if no more are needed. */
  push(chunk: Uint8Array): boolean {
    if (this.#notText !== undefined) return this.#passOver(chunk);
    if (this.#head === undefined) {
      this.#lineText(chunk);
      return true;
    }
    this.#head = this.#head.length === 0 && chunk.length >= HEAD ? chunk : concat(this.#head, chunk);
    return this.#head.length < HEAD || this.#begin(this.#head);
  }

  /** Takes the end of the source. */
  end(): void {
    if (this.#notText !== undefined) return;
    if (this.#head === undefined || this.#begin(this.#head)) this.#text(this.#lines.end(), true);
  }

  /** The source is truncated: complete documents are read, but not the last, which may only look complete. */
  breakOff(): void {
    if (this.#notText !== undefined || (this.#head !== undefined && !this.#begin(this.#head))) return;
    const rest = this.#whitespace + this.#lines.end().text;
    if (this.#format === undefined) passOver(this.#reading, rest, 1);
    else this.#format.breakOff(rest);
  }

  /** Looks at the first bytes; false, with a finding, if they are binary. */
  #begin(head: Uint8Array): boolean {
    this.#head = undefined;
    const reason = notText(head);
    if (reason === undefined) {
      this.#lineText(startsWith(head, UTF8_BOM) ? head.subarray(UTF8_BOM.length) : head);
      return true;
    }
    this.#reading.report(finding("PL002", wholeSource(this.#reading.source), { ...reason, dropped: "file" }));
    this.#notText = "";
    return this.#passOver(head);
  }

  /**
   * Data that is not UTF-8 may still contain names: in UTF-16 every other byte is zero. False if names are not
   * wanted.
   */
  #passOver(bytes: Uint8Array): boolean {
    if (this.#reading.lost === undefined) return false;
    const text = this.#notText + new TextDecoder("latin1").decode(bytes).replaceAll("\0", "");
    passOver(this.#reading, text);
    this.#notText = text.slice(-MAX_NAME_LENGTH);
    return true;
  }

  #lineText(bytes: Uint8Array): void {
    for (const piece of this.#lines.push(bytes)) this.#text(piece, false);
  }

  #text(piece: Piece, last: boolean): void {
    if (this.#format === undefined) {
      this.#whitespace += piece.text;
      if (!last && this.#whitespace.length < MAX_WHITESPACE && /^\s*(?:\{\s*)?$/.test(this.#whitespace)) return;
      this.#format = looksLikeJson(this.#whitespace)
        ? new JsonDocuments(this.#reading)
        : new YamlDocuments(this.#reading);
      this.#format.push(this.#whitespace, piece.damaged, last);
      this.#whitespace = "";
    } else this.#format.push(piece.text, piece.damaged, last);
    if (!(this.#format instanceof JsonDocuments) || this.#format.rest === undefined) return;
    const { text, line } = this.#format.rest;
    this.#format = new YamlDocuments(this.#reading, line);
    this.#format.push(text, piece.damaged, last);
  }
}

/** `{` opens a YAML mapping as well, but only JSON has a quoted key or nothing after it. */
function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{\s*(?:["}]|$)|\[)/.test(text);
}

/** A file that begins with more whitespace than this is read as YAML. */
const MAX_WHITESPACE = 65_536;
const UTF8_BOM = [0xef, 0xbb, 0xbf];
const UTF16_BOMS = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];
/** The beginning of every SQLite database. */
const SQLITE = [...new TextEncoder().encode("SQLite format 3\0")];
/** The limit of Kubernetes. */
const MAX_NAME_LENGTH = 253;
/** How far into a file a zero byte is searched. */
const HEAD = 8192;

function notText(chunk: Uint8Array): { readonly message: string; readonly help: string } | undefined {
  if (UTF16_BOMS.some((bom) => startsWith(chunk, bom)))
    return { message: "this file is UTF-16 text", help: "save it as UTF-8" };
  if (startsWith(chunk, SQLITE))
    return {
      message: "this is an SQLite database, the old form of an index, and not a file-based catalog",
      help: "convert it with `opm render FILE > catalog.json`, or its image with `opm migrate IMAGE DIRECTORY`; give the result",
    };
  if (looksBinary(chunk.subarray(0, HEAD)))
    return {
      message: "this is a binary file, neither YAML nor JSON",
      help: "give a file of YAML or JSON; in a catalog, remove it or name it in .indexignore",
    };
  return undefined;
}

/** A zero byte, or other control characters in data that is not UTF-8. */
function looksBinary(head: Uint8Array): boolean {
  if (head.includes(0)) return true;
  try {
    // The last character may be incomplete.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return false;
  } catch {
    return hasControlCharacter(head);
  }
}

function hasControlCharacter(head: Uint8Array): boolean {
  for (let index = 0; index < head.length; index++) {
    const byte = head[index] as number;
    if (byte < 0x20 && (byte < 0x09 || (byte > 0x0d && byte !== 0x1b))) return true;
  }
  return false;
}

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
