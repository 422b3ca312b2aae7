// How do bytes become text? Takes chunks of bytes and returns text of whole lines, so that a character is never split
// and a document can be cut out of the text. A very long line is returned in pieces.

/** The longest line that is kept back until its end is seen. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Replaces bytes that are not UTF-8: half a surrogate pair, which no UTF-8 text can contain. */
export const DAMAGE = "\udfff";

/** Some text, and whether it contains {@link DAMAGE}. */
export interface Piece {
  readonly text: string;
  readonly damaged: boolean;
}

/** Cuts a stream of bytes at line ends and decodes it. */
export class WholeLines {
  readonly #strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  #rest: Uint8Array = new Uint8Array(0);

  /**
   * Takes the next bytes; returns the lines that are now complete: the one begun before separately, then the others.
   */
  push(chunk: Uint8Array): readonly Piece[] {
    const begun = this.#rest;
    let start = 0;
    const pieces: Piece[] = [];
    if (begun.length > 0) {
      const newline = chunk.indexOf(NEWLINE);
      start = newline < 0 ? chunk.length : newline + 1;
      const line = concat(begun, chunk.subarray(0, start));
      const cut = newline >= 0 ? line.length : line.length > MAX_LINE_LENGTH ? characterBoundary(line) : 0;
      this.#rest = line.subarray(cut);
      if (cut > 0) pieces.push(this.#decode(line.subarray(0, cut)));
      if (newline < 0) return pieces;
    }
    let end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end <= start && chunk.length - start > MAX_LINE_LENGTH) end = characterBoundary(chunk);
    if (end > start) pieces.push(this.#decode(chunk.subarray(start, end)));
    this.#rest = chunk.slice(Math.max(start, end));
    return pieces;
  }

  /** Returns the text after the last line end. */
  end(): Piece {
    const rest = this.#rest;
    this.#rest = new Uint8Array(0);
    return this.#decode(rest);
  }

  #decode(bytes: Uint8Array): Piece {
    try {
      return { text: this.#strict.decode(bytes), damaged: false };
    } catch {
      // Line by line, so that the boundaries of chunks make no difference.
      let text = "";
      for (let start = 0; start < bytes.length; ) {
        const newline = bytes.indexOf(NEWLINE, start);
        const end = newline < 0 ? bytes.length : newline + 1;
        text += this.#decodeLine(bytes.subarray(start, end));
        start = end;
      }
      return { text, damaged: true };
    }
  }

  #decodeLine(line: Uint8Array): string {
    try {
      return this.#strict.decode(line);
    } catch {
      return this.#lenient.decode(line).replaceAll("\ufffd", DAMAGE);
    }
  }
}

/** Concatenates two byte arrays. */
export function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** The last position that is not inside a character: before the last byte that begins one. */
function characterBoundary(bytes: Uint8Array): number {
  let cut = bytes.length - 1;
  while (cut > bytes.length - 4 && ((bytes[cut] as number) & 0xc0) === 0x80) cut--;
  return cut;
}
