// Where does a document end whose beginning is known?
import { EndOfValue } from "../input/end-of-value.ts";

/** Takes pieces of text from the beginning of a document on, and keeps those of the document. */
export class DocumentCapture {
  readonly #most: number;
  readonly #before: number;
  #text = "";
  #isOver = false;
  /** Does the document begin with a bracket, so that it ends where that is closed? */
  #bracketed: boolean | undefined;
  readonly #end = new EndOfValue();

  /**
   * `most` is the maximum number of characters kept; `before` characters of its line come before the document and are
   * kept, too.
   */
  constructor(most: number, before = 0) {
    this.#most = most;
    this.#before = before;
  }

  /** The text of the document so far. */
  get text(): string {
    return this.#text;
  }

  /** Is the end found? */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes the text from a position on. */
  take(piece: string, from = 0): void {
    const start = from + Math.max(0, this.#before - this.#text.length);
    const first = piece.slice(start, start + 200).trimStart()[0];
    if (this.#bracketed === undefined && first !== undefined) this.#bracketed = first === "{" || first === "[";
    const next = this.#nextDocument(piece, from) ?? piece.length;
    const closed = this.#bracketed === true ? this.#closing(piece, start) : undefined;
    const end = Math.min(closed ?? next, next);
    this.#text += piece.slice(from, end);
    this.#isOver = end < piece.length || closed === end || this.#text.length >= this.#most;
  }

  /** Where a line begins that separates documents. */
  #nextDocument(piece: string, from: number): number | undefined {
    if (this.#text.endsWith("\n") && piece.startsWith("---", from)) return from;
    const newline = piece.indexOf("\n---", from);
    return newline < 0 ? undefined : newline + 1;
  }

  /** Where the bracket that the document begins with is closed. */
  #closing(piece: string, start: number): number | undefined {
    const end = this.#end.find(piece, start);
    this.#end.forget();
    // A string that continues in the next line is YAML, where brackets do not show the end.
    if (end === "broken") this.#bracketed = false;
    return typeof end === "number" ? end : undefined;
  }
}
