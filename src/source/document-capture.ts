// Where does a document end whose beginning is known?

/** Takes pieces of text from the beginning of a document on, and keeps what belongs to it. */
export class DocumentCapture {
  readonly #most: number;
  readonly #before: number;
  #text = "";
  #isOver = false;
  /** Does the document begin with a bracket, so that it ends where that is closed? */
  #bracketed: boolean | undefined;
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  /** At most so many characters are kept. The document begins after so many on its line, which are kept too. */
  constructor(most: number, before = 0) {
    this.#most = most;
    this.#before = before;
  }

  /** What belongs to the document, as far as it was seen. */
  get text(): string {
    return this.#text;
  }

  /** Is the end known? */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes the text from a position on. */
  take(piece: string, from = 0): void {
    const start = from + Math.max(0, this.#before - this.#text.length);
    const first = piece.slice(start, start + 200).trimStart()[0];
    if (this.#bracketed === undefined && first !== undefined) this.#bracketed = first === "{" || first === "[";
    const next = this.#nextDocument(piece, from) ?? piece.length;
    const closed = this.#bracketed === true ? this.#closing(piece, start, next) : undefined;
    const end = closed ?? next;
    this.#text += piece.slice(from, end);
    this.#isOver = closed !== undefined || next < piece.length || this.#text.length >= this.#most;
  }

  /** Where a line begins that separates documents. */
  #nextDocument(piece: string, from: number): number | undefined {
    if (this.#text.endsWith("\n") && piece.startsWith("---", from)) return from;
    const newline = piece.indexOf("\n---", from);
    return newline < 0 ? undefined : newline + 1;
  }

  /** Where the bracket that the document begins with is closed. */
  #closing(piece: string, from: number, to: number): number | undefined {
    for (let at = from; at < to; at++) {
      const code = piece.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inString) {
        if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) this.#inString = false;
      } else if (code === QUOTE) this.#inString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth++;
      else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --this.#depth === 0) return at + 1;
    }
    return undefined;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
