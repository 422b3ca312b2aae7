// Is a text an e-mail address? The API server takes what Go's net/mail reads as one address: with a name before it, with
// comments, or as a group of one.

import { readAddress } from "../../cel/library/kubernetes/address.ts";

/** Does the text say one address? */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(text);
  return reader.address(true) === 1 && reader.comments() && reader.isAtEnd;
}

/** Reads a text from left to right. What is not there is not read. */
class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** How many addresses there are: one, or those of a group; undefined if it is not an address. */
  address(mayBeGroup: boolean): number | undefined {
    this.#whitespace();
    if (this.isAtEnd) return undefined;
    if (this.#plainAddress()) {
      this.#whitespace();
      if (this.#next() !== "(") return 1;
      const words = this.#comment()?.split(/[ \t]+/);
      return words === undefined || words.some((word) => encodedLength(word) === "not read") ? undefined : 1;
    }
    if (this.#next() !== "<" && !this.#phrase()) return undefined;
    this.#whitespace();
    if (mayBeGroup && this.#take(":")) return this.#group();
    return this.#take("<") && this.#plainAddress() && this.#take(">") ? 1 : undefined;
  }

  /** Whitespace and comments; false if a comment does not end. */
  comments(): boolean {
    this.#whitespace();
    while (this.#next() === "(") {
      if (this.#comment() === undefined) return false;
      this.#whitespace();
    }
    return true;
  }

  #group(): number | undefined {
    this.#whitespace();
    if (this.#take(";")) return 0;
    for (let members = 1; ; members++) {
      if (this.address(false) === undefined || !this.comments()) return undefined;
      if (this.#take(";")) return this.comments() ? members : undefined;
      if (!this.#take(",")) return undefined;
    }
  }

  /** Local part, @ and domain; otherwise nothing is read. */
  #plainAddress(): boolean {
    const start = this.#at;
    this.#whitespace();
    const local = this.#next() === '"' ? this.#quoted() : this.#atom(false);
    if (local !== undefined && local !== "" && this.#take("@")) {
      this.#whitespace();
      if (this.#next() === "[" ? this.#literal() : this.#atom(false) !== undefined) return true;
    }
    this.#at = start;
    return false;
  }

  /** Encoded words after each other are one word, which counts when another one follows. */
  #phrase(): boolean {
    let words = 0;
    let encoded = 0;
    for (;;) {
      if (words > 0 && !this.comments()) return false;
      this.#whitespace();
      if (this.isAtEnd) return true;
      const isQuoted = this.#next() === '"';
      const word = isQuoted ? this.#quoted() : this.#atom(true);
      const length = isQuoted || word === undefined ? undefined : encodedLength(word);
      if (word === undefined || length === "not read") return words > 0 || encoded > 0;
      if (length === undefined) {
        words++;
        encoded = 0;
      } else encoded += length;
    }
  }

  #atom(anyDots: boolean): string | undefined {
    const start = this.#at;
    while (!this.isAtEnd && isAtomCharacter(this.#next())) this.#at++;
    const atom = this.#text.slice(start, this.#at);
    if (atom === "") return undefined;
    if (!anyDots && (atom.startsWith(".") || atom.endsWith(".") || atom.includes(".."))) return undefined;
    return atom;
  }

  #quoted(): string | undefined {
    let content = "";
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      let character = this.#text[at] as string;
      if (character === '"') {
        this.#at = at + 1;
        return content;
      }
      if (character === "\\") character = this.#text[++at] ?? "\0";
      if (!isVisible(character) && character !== " " && character !== "\t") return undefined;
      content += character;
    }
    return undefined;
  }

  #literal(): boolean {
    const end = this.#text.indexOf("]", this.#at);
    if (end < 0 || readAddress(this.#text.slice(this.#at + 1, end)) === undefined) return false;
    this.#at = end + 1;
    return true;
  }

  /** The text of a comment; undefined if it is not terminated. */
  #comment(): string | undefined {
    let depth = 0;
    let content = "";
    while (!this.isAtEnd) {
      const character = this.#next();
      if (character === "\\" && this.#at + 1 < this.#text.length) this.#at++;
      else if (character === "(") depth++;
      else if (character === ")") depth--;
      content += this.#next();
      this.#at++;
      if (depth === 0) return content.slice(1, -1);
    }
    return undefined;
  }

  #whitespace(): void {
    while (this.#next() === " " || this.#next() === "\t") this.#at++;
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    return this.#text[this.#at] ?? "";
  }
}

const CHARSETS: ReadonlySet<string> = new Set(["utf-8", "iso-8859-1", "us-ascii"]);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const QUOTED = /^(?:[\t\n\r -<>-~]|=[0-9a-fA-F]{2})*$/;

/** How much an encoded word (RFC 2047) says; "not read" if Go does not know its charset; undefined if it is not an encoded word. */
function encodedLength(word: string): number | "not read" | undefined {
  const [, charset = "", encoding = "", text] = /^=\?([^?]+)\?([^?])\?([^?]*)\?=$/.exec(word) ?? [];
  if (text === undefined) return undefined;
  const isText = /^b$/i.test(encoding) ? BASE64.test(text) : /^q$/i.test(encoding) && QUOTED.test(text);
  if (!isText) return undefined;
  return CHARSETS.has(charset.toLowerCase()) ? text.length : "not read";
}

function isVisible(character: string): boolean {
  return character > " " && character !== "\x7f";
}

const SPECIAL: ReadonlySet<string> = new Set('()<>[]:;@\\,"');

function isAtomCharacter(character: string): boolean {
  return isVisible(character) && !SPECIAL.has(character);
}
