// How is a catalog one row of numbers? A tape has numbers of 32 bits; texts and values are in tables, each once, and the
// tape has their positions. What is written in some order is read in the same order. Numbers need no parsing, and
// tables are parsed by `JSON.parse`: that is faster than any code of ours, above all in a process that has just begun.

import { isObject, type Json, own } from "../../model/json.ts";
import { isPlain, tagged, untagged } from "./exact-json.ts";

/** Characters of one text that is parsed; V8 has no strings beyond 512 MiB. */
const CHUNK = 16 * 1024 * 1024;
const MAX_NUMBER = 0xffff_ffff;
/** Texts in values that are so long are stored beside the JSON, and need no parsing. */
const LONG = 256;
/** The first number: it reads differently on a machine with another order of bytes. */
const BYTE_ORDER = 0x0102_0304;
const LINE_END = 0x0a;

/** What is not a packed catalog. */
export class Malformed extends Error {}

/** Takes numbers, texts and values. */
export class TapeWriter {
  readonly #numbers: number[] = [];
  readonly #tables: Tables;

  constructor(tables: Tables = new Tables()) {
    this.#tables = tables;
  }

  number(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > MAX_NUMBER) throw new Error(`${value} is not on a tape`);
    this.#numbers.push(value);
  }

  text(text: string): void {
    this.#numbers.push(this.#tables.text(text));
  }

  /** A text or nothing. */
  optionalText(text: string | undefined): void {
    this.#numbers.push(text === undefined ? 0 : this.#tables.text(text) + 1);
  }

  value(value: Json): void {
    this.#numbers.push(this.#tables.value(value));
  }

  /** Values one after the other. */
  values(values: readonly Json[]): void {
    this.number(values.length);
    this.number(this.#tables.values.length);
    for (const value of values) this.#tables.value(value);
  }

  /** A number of items, and each of them. */
  list<Item>(items: Iterable<Item>, write: (item: Item) => void): void {
    const all = [...items];
    this.number(all.length);
    for (const item of all) write(item);
  }

  /** An empty tape with the same tables. */
  other(): TapeWriter {
    return new TapeWriter(this.#tables);
  }

  /** Writes what is on another tape. */
  append(tape: TapeWriter): void {
    for (const number of tape.#numbers) this.#numbers.push(number);
  }

  /** The bytes of the tape and its tables. */
  bytes(format: string): Uint8Array {
    const numbers = Uint32Array.from([BYTE_ORDER, ...this.#numbers]);
    const tables = this.#tables;
    const lists = [tables.texts, tables.values, tables.exceptions, tables.moved].map(jsonChunks);
    const all = [...lists, chunksOf(tables.long).map((chunk) => chunk.join(""))];
    const lengths = all.map((chunks) => chunks.map((chunk) => chunk.length));
    const encoder = new TextEncoder();
    const parts = [
      encoder.encode(`${JSON.stringify({ format, numbers: numbers.length, tables: lengths })}\n`),
      new Uint8Array(numbers.buffer),
      ...all.flat().map((chunk) => encoder.encode(chunk)),
    ];
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}

/** Texts and values, each with its position. */
class Tables {
  /** JSON texts. */
  readonly texts: string[] = [];
  readonly values: string[] = [];
  /** The position and the tagged form of values that JSON cannot say. */
  readonly exceptions: string[] = [];
  /** Long texts of values, and for each the position of its value, its key and its length. */
  readonly long: string[] = [];
  readonly moved: string[] = [];
  readonly #positions = new Map<string, number>();

  text(text: string): number {
    let position = this.#positions.get(text);
    if (position === undefined) {
      position = this.texts.length;
      this.#positions.set(text, position);
      this.texts.push(JSON.stringify(text));
    }
    return position;
  }

  value(value: Json): number {
    const position = this.values.length;
    if (isPlain(value)) this.values.push(JSON.stringify(this.#withoutLong(value, position)));
    else {
      this.values.push("null");
      this.exceptions.push(JSON.stringify([position, tagged(value)]));
    }
    return position;
  }

  /** The value with an empty text for each long one. */
  #withoutLong(value: Json, position: number): Json {
    if (!isObject(value)) return value;
    const moved = Object.entries(value).filter(([key, part]) => key !== "__proto__" && isLong(part));
    if (moved.length === 0) return value;
    for (const [key, part] of moved) {
      this.moved.push(JSON.stringify([position, key, (part as string).length]));
      this.long.push(part as string);
    }
    return { ...value, ...Object.fromEntries(moved.map(([key]) => [key, ""])) };
  }
}

/** A long text in ASCII. */
function isLong(value: Json): boolean {
  return typeof value === "string" && value.length >= LONG && !NOT_ASCII.test(value);
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Lists of JSON texts as JSON, in ASCII: such text is decoded and parsed fastest, and has as many bytes as characters. */
function jsonChunks(texts: readonly string[]): readonly string[] {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return chunksOf(texts).map((chunk) => `[${chunk.join(",")}]`.replace(/[^\0-\x7f]/g, escaped));
}

/** Texts in lists of a limited length. */
function chunksOf(texts: readonly string[]): readonly (readonly string[])[] {
  const chunks: string[][] = [];
  let length = CHUNK;
  for (const text of texts) {
    if (length + text.length > CHUNK) {
      chunks.push([]);
      length = 0;
    }
    chunks.at(-1)?.push(text);
    length += text.length;
  }
  return chunks;
}

/** Gives what was written, in the same order; throws Malformed for anything else. */
export class TapeReader {
  readonly #numbers: Uint32Array;
  readonly #texts: readonly string[];
  readonly #values: readonly Json[];
  #at = 0;

  constructor(bytes: Uint8Array, format: string) {
    const lineEnd = bytes.subarray(0, 1_000_000).indexOf(LINE_END);
    const header = objectOf(parsed(bytes.subarray(0, lineEnd + 1)));
    if (header.format !== format) throw new Malformed("another format");
    let at = lineEnd + 1;
    const next = (length: unknown): Uint8Array => {
      if (typeof length !== "number" || !Number.isInteger(length) || length < 0 || length > bytes.length - at)
        throw new Malformed("a part is missing");
      at += length;
      return bytes.subarray(at - length, at);
    };
    // A copy begins at an even address. The slice of a Buffer would not be a copy.
    this.#numbers = new Uint32Array(new Uint8Array(next(Number(header.numbers) * 4)).buffer);
    const [texts, values, exceptions, moved, long] = listOf(header.tables).map((lengths) => listOf(lengths).map(next));
    if (texts === undefined || values === undefined || long === undefined) throw new Malformed("a table is missing");
    this.#texts = tableOf(texts) as readonly string[];
    for (const text of this.#texts) if (typeof text !== "string") throw new Malformed("no text");
    const all = tableOf(values);
    putBackLong(
      all,
      tableOf(moved ?? []),
      long.map((chunk) => DECODER.decode(chunk)),
    );
    putExceptions(all, tableOf(exceptions ?? []));
    this.#values = all;
    if (at !== bytes.length || this.number() !== BYTE_ORDER) throw new Malformed("too long, or of another machine");
  }

  number(): number {
    const value = this.#numbers[this.#at++];
    if (value === undefined) throw new Malformed("the tape is too short");
    return value;
  }

  text(): string {
    const text = this.#texts[this.number()];
    if (text === undefined) throw new Malformed("no such text");
    return text;
  }

  optionalText(): string | undefined {
    const position = this.number();
    if (position === 0) return undefined;
    const text = this.#texts[position - 1];
    if (text === undefined) throw new Malformed("no such text");
    return text;
  }

  value(): Json {
    const value = this.#values[this.number()];
    if (value === undefined) throw new Malformed("no such value");
    return value;
  }

  /** Values one after the other. */
  values(): readonly Json[] {
    const length = this.number();
    const begin = this.number();
    if (begin + length > this.#values.length) throw new Malformed("no such value");
    return this.#values.slice(begin, begin + length);
  }

  /** An item of a table of the caller. */
  item<Item>(table: readonly Item[]): Item {
    const item = table[this.number()];
    if (item === undefined) throw new Malformed("no such item");
    return item;
  }

  /** A number of items of a table of the caller, and each of them. */
  items<Item>(table: readonly Item[]): Item[] {
    const length = this.number();
    const numbers = this.#numbers;
    const items = roomFor<Item>(length);
    let at = this.#at;
    for (let index = 0; index < length; index++) {
      const item = table[numbers[at++] as number];
      if (item === undefined) throw new Malformed("no such item");
      items[index] = item;
    }
    this.#at = at;
    return items;
  }

  texts(): string[] {
    return this.items(this.#texts);
  }

  /** A number of items, and each of them. */
  list<Item>(read: () => Item): Item[] {
    const length = this.number();
    const items = roomFor<Item>(length);
    for (let index = 0; index < length; index++) items[index] = read();
    return items;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#numbers.length;
  }
}

/** An empty list that grows no further than it must; a long one may be a lie. */
export function roomFor<Item>(length: number): Item[] {
  return length < 1000 ? new Array<Item>(length) : [];
}

const DECODER = new TextDecoder();

function parsed(bytes: Uint8Array): Json {
  return JSON.parse(DECODER.decode(bytes)) as Json;
}

function objectOf(value: Json): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new Malformed("no header");
  return value as Readonly<Record<string, unknown>>;
}

function listOf(value: unknown): readonly Json[] {
  if (!Array.isArray(value)) throw new Malformed("no list");
  return value as readonly Json[];
}

/** A table from its chunks. */
function tableOf(chunks: readonly Uint8Array[]): Json[] {
  const lists = chunks.map((chunk) => listOf(parsed(chunk)));
  return lists.length === 1 ? (lists[0] as Json[]) : lists.flat();
}

function putExceptions(values: Json[], exceptions: readonly Json[]): void {
  for (const exception of exceptions) {
    const [position, value] = listOf(exception);
    if (typeof position !== "number" || values[position] !== null) throw new Malformed("no such value");
    values[position] = untagged(value);
  }
}

/** Puts long texts where they were. Each is a part of the text of its chunk, and takes no memory of its own. */
function putBackLong(values: readonly Json[], moved: readonly Json[], chunks: readonly string[]): void {
  let number = 0;
  let at = 0;
  for (const one of moved) {
    const [position, key, length] = listOf(one);
    const value = typeof position === "number" ? values[position] : undefined;
    if (!isObject(value) || typeof key !== "string" || typeof length !== "number" || own(value, key) !== "")
      throw new Malformed("no place for a text");
    if (at === chunks[number]?.length) {
      number++;
      at = 0;
    }
    const text = chunks[number]?.slice(at, at + length);
    if (text?.length !== length) throw new Malformed("a text is missing");
    (value as Record<string, Json>)[key] = text;
    at += length;
  }
}
