// Where are the bytes of the user's input, and what does a place in them look like? Remembers what cannot be read
// twice (standard input and pipes), and reads the rest again when lines are displayed.

import { statSync } from "node:fs";
import type { DocumentSink, Reading } from "../input/document.ts";
import type { Limits } from "../input/limits.ts";
import { locate, locateInObject, type SourcePosition } from "../input/locate.ts";
import { readBytes, readDocuments, UnreadableError } from "../input/read-documents.ts";
import { DAMAGE, WholeLines } from "../input/whole-lines.ts";
import type { Report } from "../model/finding.ts";
import { groupedBy } from "../model/grouped.ts";
import type { JsonObject } from "../model/json.ts";
import type { Place } from "../model/place.ts";
import { DocumentCapture } from "./document-capture.ts";
import { fileChunks, isPipe, standardInput, unpacked } from "./file-chunks.ts";

/** The name of standard input in messages. */
export const STDIN = "<stdin>";
/** How much of standard input, and of each pipe, is kept to display its lines. */
const KEPT_OF_STREAM = 16 * 1024 * 1024;
/** Minimum amount of text after the beginning of a line or document in which a place is searched. */
const MAX_CAPTURE_LENGTH = 4 * 1024 * 1024;

/** What happens with unreadable or ambiguous text. */
type Careful = Pick<Reading, "lost" | "unambiguous">;

/** The bytes of a name that is not a path: an entry of an image, or a response. Undefined if there is none of this name. */
export type OpenName = (name: string) => AsyncIterable<Uint8Array> | undefined;

/** A file that was read. */
export interface ReadFile {
  readonly name: string;
  readonly documents: number;
  /** Its size, uncompressed. */
  readonly bytes: number;
}

/** The files of one run. */
export class InputFiles {
  readonly limits: Limits;
  readonly #onBytes: (bytes: number) => void;
  /** The beginning of each source that cannot be read twice. */
  readonly #remembered = new Map<string, readonly Uint8Array[]>();
  /** Objects that come from no file, by the source of their places. */
  readonly #objects = new Map<string, JsonObject>();
  /** Names that begin with these texts are not paths. */
  readonly #mounts = new Map<string, OpenName>();
  #onRead: (file: ReadFile) => void = () => {};

  /** `onBytes` is called for every chunk read, for a progress bar. */
  constructor(limits: Limits, onBytes: (bytes: number) => void = () => {}) {
    this.limits = limits;
    this.#onBytes = onBytes;
  }

  /** Keeps an object without lines, so that positions in its texts can be shown. */
  keepObject(source: string, object: JsonObject): void {
    this.#objects.set(source, object);
  }

  /** From now on, `open` has the bytes of every name that begins with the prefix. */
  mount(prefix: string, open: OpenName): void {
    this.#mounts.set(prefix, open);
  }

  /** Calls back after each file that is read from now on. */
  watch(onRead: (file: ReadFile) => void): void {
    this.#onRead = onRead;
  }

  /** Reads all documents of a file, or of standard input if its name is `<stdin>`. */
  async read(name: string, sink: DocumentSink, report: Report, careful?: Careful): Promise<void> {
    const chunks = this.#chunks(name);
    const count = new Count();
    await readDocuments(count.of(this.isStream(name) ? this.#remembering(name, chunks) : chunks), {
      ...{ source: name, limits: this.limits, report, ...careful },
      sink: count.into(sink),
    });
    this.#onRead({ name, documents: count.documents, bytes: count.bytes });
  }

  /** Reads all documents of a file whose bytes are known, and are not compressed. */
  readBytes(name: string, bytes: Uint8Array, sink: DocumentSink, report: Report): void {
    const count = new Count();
    readBytes(bytes, { source: name, limits: this.limits, report, sink: count.into(sink) });
    this.passed(name, bytes.length, count.documents);
  }

  /** Takes note of bytes that another thread has read: not of their files. */
  readElsewhere(bytes: number): void {
    this.#onBytes(bytes);
  }

  /** Takes note of a file whose documents are known from another one. */
  passed(name: string, bytes: number, documents: number): void {
    this.#onBytes(bytes);
    this.#onRead({ name, documents, bytes });
  }

  /** Is a source not a file that can be opened again: standard input, or a pipe? */
  isStream(name: string): boolean {
    return name === STDIN || (!this.isMounted(name) && isPipe(name));
  }

  /** Line, column and excerpt of every place, as far as its source can still be read. */
  async locate(places: readonly Place[]): Promise<ReadonlyMap<Place, SourcePosition>> {
    const spots = new Map<Place, SourcePosition>();
    for (const place of places) {
      const object = this.#objects.get(place.source);
      const spot = object && locateInObject(place, object);
      if (spot !== undefined) spots.set(place, spot);
    }
    for (const [source, wanted] of groupedBy(
      places.filter((place) => place.line > 0),
      (place) => place.source,
    )) {
      if (!this.#remembered.has(source) && !this.isMounted(source) && !isFile(source)) continue;
      const texts = await this.#textsFrom(source, wanted);
      for (const [at, group] of groupedBy(wanted, (place) => `${place.line}:${place.column}`)) {
        const text = texts.get(Number.parseInt(at, 10));
        // Nothing of a line is displayed if the place is beyond what is kept of it.
        if (text === undefined || (group[0] as Place).column > text.length + 1) continue;
        for (const [index, spot] of locate(group, text).entries()) spots.set(group[index] as Place, spot);
      }
    }
    return spots;
  }

  /** The text from the line of each place on: that line, or up to the end of the document if a path is searched. */
  async #textsFrom(source: string, places: readonly Place[]): Promise<Map<number, string>> {
    const wanted = new Map<number, boolean>();
    /** The length of the line before the last document that begins on it. */
    const before = new Map<number, number>();
    let last = 0;
    for (const { line, column, path } of places) {
      last = Math.max(last, line);
      wanted.set(line, wanted.get(line) === true || path !== undefined);
      before.set(line, Math.max(before.get(line) ?? 0, column - 1));
    }
    const captures = new Map<number, DocumentCapture | string>();
    const open = new Set<DocumentCapture>();
    const lines = new WholeLines();
    let line = 1;
    let pending: { readonly line: number; text: string } | undefined;
    const most = Math.max(MAX_CAPTURE_LENGTH, this.limits.maxDocumentBytes);
    const take = (piece: string): void => {
      const text = (line === 1 ? piece.replace(/^\ufeff/, "") : piece).replaceAll(DAMAGE, "\ufffd");
      for (const capture of open) {
        capture.take(text);
        if (capture.isOver) open.delete(capture);
      }
      for (let at = 0; at < text.length; line++) {
        const newline = text.indexOf("\n", at);
        const end = newline < 0 ? text.length : newline;
        if (pending?.line === line) {
          const room = Math.max(0, most - pending.text.length);
          pending.text += text.slice(at, Math.min(end, at + room));
          captures.set(line, pending.text);
        }
        const isDocument = wanted.get(line);
        if (isDocument === true && !captures.has(line)) {
          const capture = new DocumentCapture(most, before.get(line));
          capture.take(text, at);
          captures.set(line, capture);
          if (!capture.isOver) open.add(capture);
        } else if (isDocument === false && !captures.has(line)) {
          captures.set(line, text.slice(at, end));
          pending = newline < 0 ? { line, text: text.slice(at) } : undefined;
        }
        if (newline < 0) return; // the line continues in the next chunk
        at = newline + 1;
      }
    };
    try {
      for await (const chunk of this.#remembered.get(source) ?? this.#mounted(source) ?? fileChunks(source)) {
        for (const piece of lines.push(chunk)) take(piece.text);
        if (line > last && open.size === 0) break; // the rest is not needed
      }
      take(lines.end().text);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
    }
    return new Map([...captures].map(([at, capture]) => [at, typeof capture === "string" ? capture : capture.text]));
  }

  #chunks(name: string): AsyncGenerator<Uint8Array> {
    return name === STDIN ? standardInput() : (this.#mounted(name) ?? fileChunks(name, this.#onBytes));
  }

  /** Is a name not a path, but something that was mounted? */
  isMounted(name: string): boolean {
    for (const prefix of this.#mounts.keys()) if (name.startsWith(prefix)) return true;
    return false;
  }

  #mounted(name: string): AsyncGenerator<Uint8Array> | undefined {
    // The longest: grpc://HOST:5005 is also the beginning of grpc://HOST:50051.
    const [prefix = ""] = [...this.#mounts.keys()]
      .filter((one) => name.startsWith(one))
      .sort((a, b) => b.length - a.length);
    const chunks = this.#mounts.get(prefix)?.(name);
    return chunks && unpacked(chunks);
  }

  async *#remembering(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const kept: Uint8Array[] = [];
    this.#remembered.set(name, kept);
    let bytes = 0;
    for await (const chunk of chunks) {
      if (bytes < KEPT_OF_STREAM) kept.push(chunk.slice());
      bytes += chunk.length;
      yield chunk;
    }
  }
}

/** Counts what is read of a file. */
class Count {
  documents = 0;
  bytes = 0;

  /** The same chunks, counted. */
  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  /** The same sink, which counts. */
  into(sink: DocumentSink): DocumentSink {
    return (value, place) => {
      this.documents++;
      sink(value, place);
    };
  }
}

/** Whether there is a file that can be read again: a saved problem may name some that are not there, or are none. */
function isFile(source: string): boolean {
  try {
    return statSync(source).isFile();
  } catch {
    return false;
  }
}
