// Which changes does a watch report, while its response arrives? One JSON object per line: `{"type":"ADDED","object":{…}}`. The text
// of an object is cut out of its line as it is: no number changes, and it is parsed once, by its reader. Pieces may end anywhere, also
// inside of a character.

import { parsedJson } from "../net/json-fields.ts";

const TYPES = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"] as const;

export interface WatchEvent {
  readonly type: (typeof TYPES)[number];
  /** Its JSON text; that of a bookmark has only a resourceVersion. */
  readonly object: string;
}

/** An error that the server reports instead of a change: the text of a Status. */
interface WatchError {
  readonly type: "ERROR";
  readonly object: string;
}

/** The response is not a sequence of changes. */
export class BrokenWatch extends Error {}

const NEWLINE = 0x0a;

/** Splits bytes into lines, and reads the event of each. */
export class WatchSplitter {
  readonly #take: (event: WatchEvent | WatchError) => void;
  readonly #maxEventBytes: number;
  /** The earlier pieces of the current line. */
  #earlier: Uint8Array[] = [];
  #lineBytes = 0;

  constructor(take: (event: WatchEvent | WatchError) => void, maxEventBytes: number) {
    this.#take = take;
    this.#maxEventBytes = maxEventBytes;
  }

  /** Takes the next bytes. */
  push(piece: Uint8Array): void {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, start)) {
      this.#count(end - start);
      this.#endLine(piece.subarray(start, end));
      start = end + 1;
    }
    if (start === piece.length) return;
    this.#count(piece.length - start);
    // A copy: the rest of the piece is not kept for it.
    this.#earlier.push(piece.slice(start));
  }

  /** The last line may have no end of its own. */
  end(): void {
    this.#endLine(new Uint8Array());
  }

  #count(bytes: number): void {
    this.#lineBytes += bytes;
    if (this.#lineBytes > this.#maxEventBytes)
      throw new BrokenWatch(`one of them is longer than ${this.#maxEventBytes} bytes`);
  }

  #endLine(bytes: Uint8Array): void {
    const line = Buffer.concat([...this.#earlier, bytes]).toString();
    this.#earlier = [];
    this.#lineBytes = 0;
    if (line.trim() !== "") this.#take(eventOf(line));
  }
}

/** The event of a line. Throws if it is none. */
function eventOf(line: string): WatchEvent | WatchError {
  const values = topLevelValues(line);
  const object = values?.get("object");
  const typeText = values?.get("type");
  if (object === undefined || typeText === undefined || !object.startsWith("{"))
    throw new BrokenWatch("one of them is not an event in JSON");
  const type = parsedJson(typeText);
  if (type === "ERROR") return { type, object };
  const known = TYPES.find((one) => one === type);
  if (known === undefined) throw new BrokenWatch("one of them has an unknown type");
  return { type: known, object };
}

/** The texts of the values of an object by their keys; undefined if it is none. The values themselves are not checked. */
function topLevelValues(text: string): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  let at = afterSpace(text, 0);
  if (text[at] !== "{") return undefined;
  do {
    const keyStart = afterSpace(text, at + 1);
    if (text[keyStart] !== '"') return undefined;
    const keyEnd = afterValue(text, keyStart);
    const key = parsedJson(text.slice(keyStart, keyEnd));
    const colon = afterSpace(text, keyEnd);
    const start = afterSpace(text, colon + 1);
    const end = afterValue(text, start);
    if (typeof key !== "string" || text[colon] !== ":" || end === start) return undefined;
    values.set(key, text.slice(start, end));
    at = afterSpace(text, end);
  } while (text[at] === ",");
  return text[at] === "}" && afterSpace(text, at + 1) === text.length ? values : undefined;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at++;
  return at;
}

/** Behind the value that starts here: a text, brackets and what is in them, or anything else up to what separates values. */
function afterValue(text: string, start: number): number {
  let depth = 0;
  let inText = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inText) {
      if (character === "\\") at++;
      else if (character === '"') {
        inText = false;
        if (depth === 0) return at + 1;
      }
    } else if (character === '"') inText = true;
    else if (character === "{" || character === "[") depth++;
    else if (depth > 0) {
      if ((character === "}" || character === "]") && --depth === 0) return at + 1;
    } else if (character === undefined || " \t\r,:}]".includes(character)) return at;
  }
  return text.length;
}
