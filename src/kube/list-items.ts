// Which items does a list have, while its response arrives? Bytes are split into the texts of items; everything else (kind,
// apiVersion, metadata) is small and parsed at the end. Pieces may end anywhere, also inside of a character or an escape.

import { field, textField } from "../net/json-fields.ts";

/** The response is not a list in JSON, or only a part of one. */
export class BrokenList extends Error {}

export interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  /** The token of the next page; empty on the last one. */
  readonly continueToken: string;
  /** Of the collection, when it was listed; empty if the server says none. */
  readonly resourceVersion: string;
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Everything but the items. */
const MAX_HEAD = 1024 * 1024;

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;
}

/** Where the next byte belongs. */
type Part = "head" | "between" | "item";

export class ListSplitter {
  readonly #take: (item: string) => void;
  readonly #maxItemBytes: number;
  /** Items that were skipped because they are too long. */
  overlong = 0;

  #part: Part = "head";
  /** Inside of the head or an item: open brackets, and whether this is a string. */
  #depth = 0;
  #inText = false;
  #isEscaped = false;

  /** The head: its bytes without the items; where a key of the outermost object is expected, read, and its name. */
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  #expectsKey = false;
  #key: number[] | undefined;
  #lastKey = "";
  #expectsValue = false;
  #hasItems = false;

  /** Must the next thing between items be a comma, or an item? */
  #next: "item or end" | "comma or end" | "item" = "item or end";
  /** The earlier pieces of the current item. */
  #earlier: Uint8Array[] = [];
  #itemBytes = 0;

  constructor(take: (item: string) => void, maxItemBytes: number) {
    this.#take = take;
    this.#maxItemBytes = maxItemBytes;
  }

  /** Takes the next bytes. */
  push(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length) {
      if (this.#part === "head") at = this.#readHead(piece, at);
      else if (this.#part === "between") at = this.#readBetween(piece, at);
      else at = this.#readItem(piece, at);
    }
  }

  /** What the list says besides its items, after the last byte. */
  end(): ListHead {
    if (this.#part !== "head" || this.#depth !== 0 || this.#headBytes === 0)
      throw new BrokenList("the list ends before it is complete");
    let head: unknown;
    try {
      head = JSON.parse(Buffer.concat(this.#head).toString());
    } catch {
      throw new BrokenList("the list is not valid JSON");
    }
    const kind = textField(head, "kind") ?? "";
    const apiVersion = textField(head, "apiVersion") ?? "";
    if (!kind.endsWith("List") || apiVersion === "") throw new BrokenList("the response is not a list");
    // Go writes an empty list as null. Anything else would be objects that are lost.
    const items = field(head, "items");
    if (items !== null && !Array.isArray(items)) throw new BrokenList("the items of the response are not a list");
    const metadata = field(head, "metadata");
    return {
      kind,
      apiVersion,
      continueToken: textField(metadata, "continue") ?? "",
      resourceVersion: textField(metadata, "resourceVersion") ?? "",
    };
  }

  #readHead(piece: Uint8Array, start: number): number {
    let at = start;
    for (; at < piece.length && this.#part === "head"; at++) this.#headByte(piece[at] as number);
    this.#headBytes += at - start;
    if (this.#headBytes > MAX_HEAD) throw new BrokenList("the list has more than 1 MiB besides its items");
    this.#head.push(piece.slice(start, at));
    return at;
  }

  #headByte(byte: number): void {
    if (this.#inText) this.#headText(byte);
    else if (!isSpace(byte)) {
      const isValue = this.#expectsValue;
      this.#expectsValue = false;
      if (byte === QUOTE) {
        this.#inText = true;
        if (this.#expectsKey && this.#depth === 1) this.#key = [];
        this.#expectsKey = false;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#open(byte, isValue);
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth--;
      else if (this.#depth === 1 && byte === COMMA) this.#expectsKey = true;
      else if (this.#depth === 1 && byte === COLON) this.#expectsValue = true;
    }
  }

  /** A bracket opens: the outermost object, the items, or anything else. */
  #open(byte: number, isValue: boolean): void {
    this.#depth++;
    if (this.#depth === 1) this.#expectsKey = true;
    if (this.#depth !== 2 || !isValue || this.#lastKey !== "items" || byte !== OPEN_BRACKET) return;
    if (this.#hasItems) throw new BrokenList("the list has its items twice");
    this.#hasItems = true;
    this.#part = "between";
    this.#next = "item or end";
  }

  #headText(byte: number): void {
    if (!this.#isEscaped && byte === QUOTE) {
      this.#inText = false;
      if (this.#key === undefined) return;
      this.#lastKey = keyOf(this.#key);
      this.#key = undefined;
      return;
    }
    this.#isEscaped = !this.#isEscaped && byte === BACKSLASH;
    // A key that is longer than `items` can be written is another one.
    if (this.#key !== undefined && this.#key.length <= LONGEST_KEY) this.#key.push(byte);
  }

  #readBetween(piece: Uint8Array, start: number): number {
    for (let at = start; at < piece.length; at++) {
      const byte = piece[at] as number;
      if (isSpace(byte)) continue;
      if (byte === COMMA && this.#next === "comma or end") this.#next = "item";
      else if (byte === OPEN_BRACE && this.#next !== "comma or end") {
        this.#part = "item";
        this.#depth = 0;
        return at;
      } else if (byte === CLOSE_BRACKET && this.#next !== "item") {
        // The bracket that closes the items closes them in the head, too.
        this.#part = "head";
        this.#depth = 2;
        return at;
      } else throw new BrokenList("the items of the list are not valid JSON");
    }
    return piece.length;
  }

  #readItem(piece: Uint8Array, start: number): number {
    let depth = this.#depth;
    let inText = this.#inText;
    let isEscaped = this.#isEscaped;
    let at = start;
    for (; at < piece.length; at++) {
      const byte = piece[at];
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) break;
    }
    this.#depth = depth;
    this.#inText = inText;
    this.#isEscaped = isEscaped;
    const isWhole = at < piece.length;
    this.#keep(piece.subarray(start, isWhole ? at + 1 : at), isWhole);
    return isWhole ? at + 1 : at;
  }

  /** Bytes of the current item, and perhaps its last ones. */
  #keep(bytes: Uint8Array, isWhole: boolean): void {
    this.#itemBytes += bytes.length;
    const isOverlong = this.#itemBytes > this.#maxItemBytes;
    if (isOverlong) this.#earlier = [];
    if (!isWhole) {
      // A copy: the rest of the piece is not kept for it.
      if (!isOverlong) this.#earlier.push(bytes.slice());
      return;
    }
    const earlier = this.#earlier;
    this.#earlier = [];
    this.#itemBytes = 0;
    this.#part = "between";
    this.#next = "comma or end";
    if (isOverlong) this.overlong++;
    else this.#take(textOf(earlier.length === 0 ? bytes : Buffer.concat([...earlier, bytes])));
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

/** `items`, with each letter as an escape. */
const LONGEST_KEY = 30;

function keyOf(bytes: readonly number[]): string {
  if (bytes.length > LONGEST_KEY) return "";
  try {
    return JSON.parse(`"${Buffer.from(bytes).toString()}"`) as string;
  } catch {
    return "";
  }
}
