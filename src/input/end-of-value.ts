// Where does a JSON value end, if the text comes in pieces?

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Finds the end of a value, keeping its state between pieces of text. */
export class EndOfValue {
  /** The search has begun and is not finished. */
  begun = false;
  #looked = 0;
  #depth = 0;
  #inText = false;

  /** The text looked at so far is dropped; the search continues with the next piece. */
  forget(): void {
    this.#looked = 0;
  }

  reset(): void {
    this.begun = false;
    this.#looked = 0;
    this.#depth = 0;
    this.#inText = false;
  }

  /** The position after the value; "open" if the text ends before it; "broken" if a line ends inside a string. */
  find(buffer: string, start: number): number | "open" | "broken" {
    let at = start + this.#looked;
    for (; at < buffer.length; at++) {
      const unit = buffer.charCodeAt(at);
      if (this.#inText) {
        if (unit === BACKSLASH) at++;
        else if (unit === QUOTE) this.#inText = false;
        else if (unit === NEWLINE) return "broken";
      } else if (unit === QUOTE) this.#inText = true;
      else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) this.#depth++;
      else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
        if (--this.#depth <= 0) return at + 1;
      } else if (this.#depth === 0 && unit === NEWLINE) return at;
    }
    this.begun = true;
    this.#looked = at - start;
    return "open";
  }
}
