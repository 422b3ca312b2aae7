// What does this JSON text contain, exactly? The slow and precise reader behind the fast `JSON.parse`: it reports
// where and why a text is not JSON, keeps integers beyond 2^53 as bigints, and finds the position of a path.

import type { Json } from "../model/json.ts";
import { quoted, shortened } from "../text/words.ts";
import { characterInJson } from "./place-in-text.ts";
import type { WantedStep } from "./wanted-paths.ts";

/** Number of duplicate keys recorded per text: more have one cause. */
export const MAX_REPEATED = 1000;

/** A duplicate key of an object, at a position in UTF-16 units from the beginning of the text. */
export interface RepeatedKey {
  readonly key: string;
  readonly position: number;
}

/** Why a text cannot be read, at a position in UTF-16 units from its beginning. */
export class TextFault extends Error {
  readonly position: number;
  readonly help: string | undefined;
  /** The text exceeds a limit rather than being malformed. */
  readonly isLimit: boolean;

  constructor(message: string, position: number, help?: string, isLimit = false) {
    super(message);
    this.position = position;
    this.help = help;
    this.isLimit = isLimit;
  }
}

/**
 * Reads one JSON value and nothing after it. Throws a {@link TextFault} otherwise. Duplicate keys are recorded in
 * `repeated`; the last one is used.
 */
export function readJson(text: string, maxDepth: number, repeated?: RepeatedKey[]): Json {
  const reader = new JsonText(text, maxDepth, repeated);
  const value = reader.value(0);
  reader.end();
  return value;
}

/** The value of a JSON text, or why it is not one. */
export function valueOrFault(text: string, maxDepth: number): Json | TextFault {
  try {
    return readJson(text, maxDepth);
  } catch (error) {
    if (error instanceof TextFault) return error;
    throw error;
  }
}

/** Records the positions of wanted paths in a valid JSON text. */
export function locateInJson(text: string, wanted: WantedStep, maxDepth: number): void {
  new JsonText(text, maxDepth).locate(wanted);
}

/** A cursor over JSON text. */
class JsonText {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #repeated: RepeatedKey[] | undefined;
  #at = 0;

  constructor(text: string, maxDepth: number, repeated?: RepeatedKey[]) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#repeated = repeated;
  }

  value(depth: number): Json {
    this.#skipWhitespace();
    const start = this.#at;
    switch (this.#text[start]) {
      case "{":
        return this.#object(this.#deeper(depth));
      case "[":
        return this.#list(this.#deeper(depth));
      case '"':
        return this.#string();
      case undefined:
        throw this.#early("a value");
      default:
        return this.#word();
    }
  }

  end(): void {
    this.#skipWhitespace();
    if (this.#at < this.#text.length)
      throw new TextFault(`unexpected ${this.#seen()} after the end of the document`, this.#at);
  }

  /** Records the position of the value at the cursor, and of wanted values inside it. */
  locate(wanted: WantedStep): void {
    this.#skipWhitespace();
    const start = this.#at;
    wanted.position = start;
    if (this.#text[start] === '"') wanted.character = (offset) => characterInJson(this.#text, start, offset);
    if (wanted.inside.size > 0 && this.#take("{")) {
      this.#skipWhitespace();
      // A key without quotes: it is YAML.
      if (this.#text[this.#at] !== '"' && this.#text[this.#at] !== "}") throw this.#early("a key");
      for (this.#skipWhitespace(); this.#text[this.#at] === '"'; this.#skipWhitespace()) {
        const keyPosition = this.#at;
        const step = wanted.inside.get(this.#string());
        this.#skipWhitespace();
        this.#at++; // the colon
        this.#locateOrSkip(step, keyPosition);
        if (!this.#take(",")) break;
      }
      this.#take("}");
    } else if (wanted.inside.size > 0 && this.#take("[")) {
      this.#skipWhitespace();
      for (let index = 0; this.#at < this.#text.length && this.#text[this.#at] !== "]"; index++) {
        this.#locateOrSkip(wanted.inside.get(index), -1);
        if (!this.#take(",")) break;
      }
      this.#take("]");
    } else this.value(0);
  }

  #locateOrSkip(step: WantedStep | undefined, keyPosition: number): void {
    if (step === undefined) this.value(0);
    else {
      step.keyPosition = keyPosition;
      this.locate(step);
    }
    this.#skipWhitespace();
  }

  #object(depth: number): Json {
    const open = this.#at++;
    // A plain object is deliberate: `__proto__` becomes an own key by defineProperty below, as with JSON.parse.
    const object: Record<string, Json> = {};
    this.#skipWhitespace();
    if (this.#take("}")) return object;
    for (;;) {
      this.#skipWhitespace();
      if (this.#text[this.#at] !== '"') throw this.#expectedKey(open);
      const position = this.#at;
      const key = this.#string();
      if (this.#repeated !== undefined && Object.hasOwn(object, key) && this.#repeated.length < MAX_REPEATED)
        this.#repeated.push({ key, position });
      this.#skipWhitespace();
      if (!this.#take(":")) throw this.#expected(`":" after the key ${JSON.stringify(key)}`);
      const value = this.value(depth);
      if (key === "__proto__")
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      else object[key] = value;
      this.#skipWhitespace();
      if (this.#take("}")) return object;
      if (!this.#take(",")) throw this.#expected('"," or "}"');
    }
  }

  #list(depth: number): Json {
    this.#at++;
    const list: Json[] = [];
    this.#skipWhitespace();
    if (this.#take("]")) return list;
    for (;;) {
      list.push(this.value(depth));
      this.#skipWhitespace();
      if (this.#take("]")) return list;
      if (!this.#take(",")) throw this.#expected('"," or "]"');
    }
  }

  #string(): string {
    const start = this.#at;
    for (let at = start + 1; at < this.#text.length; at++) {
      const unit = this.#text.charCodeAt(at);
      if (unit === 0x5c) at++;
      else if (unit === 0x22) {
        this.#at = at + 1;
        try {
          return JSON.parse(this.#text.slice(start, at + 1)) as string;
        } catch {
          throw this.#badEscape(start, at);
        }
      } else if (unit === 0x0a) throw new TextFault("a text is not closed on its line", start, 'write the closing "');
      else if (unit < 0x20)
        throw new TextFault("a text contains an unescaped control character", at, "write a tab as \\t");
    }
    this.#at = this.#text.length;
    throw new TextFault("the document ends inside a text", start, 'write the closing "');
  }

  #badEscape(start: number, end: number): TextFault {
    for (let at = start + 1; at < end; at++) {
      if (this.#text[at] !== "\\") continue;
      const next = this.#text[at + 1] as string;
      const fine =
        next === "u" ? /^[0-9a-fA-F]{4}$/.test(this.#text.slice(at + 2, at + 6)) : '"\\/bfnrt'.includes(next);
      if (!fine) return new TextFault(`\\${next} is not an escape of JSON`, at, "write a backslash as \\\\");
      at++;
    }
    return new TextFault("a text is malformed", start);
  }

  #word(): Json {
    const start = this.#at;
    let end = start;
    while (end < this.#text.length && /[^\s,:[\]{}"]/.test(this.#text[end] as string)) end++;
    const word = this.#text.slice(start, end);
    this.#at = end;
    if (word === "true") return true;
    if (word === "false") return false;
    if (word === "null") return null;
    if (/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.test(word)) return this.#number(word, start);
    this.#at = start;
    if (word === "") throw this.#expected("a value");
    throw new TextFault(`${quoted(word, 30)} is not a JSON value`, start, "put text in double quotes");
  }

  #number(word: string, start: number): Json {
    const value = Number(word);
    if (!Number.isFinite(value))
      throw new TextFault(`the number ${shortened(word, 30)} is too large`, start, undefined, true);
    if (Number.isSafeInteger(value) || /[.eE]/.test(word)) return value;
    if (word.length > 400) throw new TextFault("an integer has more than 400 digits", start, undefined, true);
    return BigInt(word);
  }

  #deeper(depth: number): number {
    if (depth >= this.#maxDepth)
      throw new TextFault(`objects and lists nest more than ${this.#maxDepth} deep`, this.#at, undefined, true);
    return depth + 1;
  }

  #expectedKey(open: number): TextFault {
    if (this.#at >= this.#text.length) return this.#early('"}"');
    if (this.#text[this.#at] === "}")
      return new TextFault("there is a comma before the closing }", this.#at, "remove the comma");
    if (this.#at === open + 1 || /[A-Za-z_']/.test(this.#text[this.#at] as string))
      return new TextFault(`expected a key in double quotes, found ${this.#seen()}`, this.#at);
    return this.#expected("a key in double quotes");
  }

  #expected(what: string): TextFault {
    if (this.#at >= this.#text.length) return this.#early(what);
    return new TextFault(`expected ${what}, found ${this.#seen()}`, this.#at);
  }

  #early(what: string): TextFault {
    return new TextFault(`the document ends where ${what} is expected`, this.#text.length);
  }

  #seen(): string {
    return JSON.stringify(String.fromCodePoint(this.#text.codePointAt(this.#at) as number));
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipWhitespace(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at++;
    }
  }
}
