// How do bytes become text? Takes chunks of bytes and returns text of whole lines, so that a character is never split
// and a document can be cut out of the text. A very long line is returned in pieces.

/** The longest line that is kept back until its end is seen. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Replaces bytes that are not UTF-8: half a surrogate pair, which no UTF-8 text can contain. */
export const DAMAGE = "\udfff";

// They keep nothing between two calls, and a tree has tens of thousands of files.
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });

/** Some text, and whether it contains {@link DAMAGE}. */
export interface Piece {
  readonly text: string;
  readonly damaged: boolean;
}

/** Cuts a stream of bytes at line ends and decodes it. */
export class WholeLines {
  /** The line that has begun: in pieces, since copying it for each chunk would take the square of its length. */
  #begun: Uint8Array[] = [];
  #length = 0;

  /**
   * Takes the next bytes; returns the lines that are now complete: the one begun before separately, then the others.
   */
  push(chunk: Uint8Array): readonly Piece[] {
    let start = 0;
    const pieces: Piece[] = [];
    if (this.#length > 0) {
      const newline = chunk.indexOf(NEWLINE);
      start = newline < 0 ? chunk.length : newline + 1;
      this.#keep(chunk.subarray(0, start));
      if (newline < 0 && this.#length <= MAX_LINE_LENGTH) return pieces;
      const line = this.#takeBegun();
      const cut = newline < 0 ? characterBoundary(line) : line.length;
      this.#keep(line.subarray(cut));
      pieces.push(this.#decode(line.subarray(0, cut)));
      if (newline < 0) return pieces;
    }
    let end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end <= start && chunk.length - start > MAX_LINE_LENGTH) end = characterBoundary(chunk);
    if (end > start) pieces.push(this.#decode(chunk.subarray(start, end)));
    this.#keep(chunk.subarray(Math.max(start, end)));
    return pieces;
  }

  /** Returns the text after the last line end. */
  end(): Piece {
    return this.#decode(this.#takeBegun());
  }

  /** Keeps a copy: a chunk is valid until the next one. */
  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#begun.push(bytes.slice());
    this.#length += bytes.length;
  }

  #takeBegun(): Uint8Array {
    const [only, ...more] = this.#begun;
    const whole = only !== undefined && more.length === 0 ? only : joined(this.#begun, this.#length);
    this.#begun = [];
    this.#length = 0;
    return whole;
  }

  #decode(bytes: Uint8Array): Piece {
    try {
      return { text: STRICT.decode(bytes), damaged: false };
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
      return STRICT.decode(line);
    } catch {
      return LENIENT.decode(line).replaceAll("\ufffd", DAMAGE);
    }
  }
}

/** Concatenates two byte arrays. */
export function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  return joined([a, b], a.length + b.length);
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The last position that is not inside a character: before the last byte that begins one. */
function characterBoundary(bytes: Uint8Array): number {
  let cut = bytes.length - 1;
  while (cut > bytes.length - 4 && ((bytes[cut] as number) & 0xc0) === 0x80) cut--;
  return cut;
}
