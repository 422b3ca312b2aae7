// Which entries does a tar stream have? One at a time, with content that is read or skipped and never held. ustar, GNU and pax;
// what is ambiguous is read as Go reads it, because container engines are written in Go.

import { cancelled, NetFailure } from "../net/failure.ts";
import { counted } from "../text/words.ts";
import { type PaxFields, paxFields } from "./pax.ts";
import { sizeText } from "./size-text.ts";
import { type Header, headerOf, isZero, TarError, textOf } from "./tar-header.ts";

const BLOCK = 512;
const MAX_PATH = 4096;
const MAX_PAX = 1024 * 1024;
/** Headers that only describe the next one: a long name, a long link, and pax. */
const MAX_PREFACES = 8;

export interface TarLimits {
  readonly entries: number;
  /** All bytes of the stream. */
  readonly bytes: number;
}

export type TarType = "file" | "link" | "symlink" | "directory" | "device" | "pipe" | "other";

export interface TarEntry {
  /** As it is written: it may be absolute and contain `..`. */
  readonly path: string;
  readonly type: TarType;
  /** The bytes of its content. */
  readonly size: number;
  /** The target of a link. */
  readonly link?: string;
  /** Where its content begins in the stream. */
  readonly offset: number;
  /** The content, once, and before the next entry is requested; what is not read is skipped. A chunk is valid until the next. */
  content(): AsyncIterable<Uint8Array>;
}

/** The entries of a tar. `name` is what it is, for messages: `the layer sha256:…`. The stream is always read to its end. */
export async function* tarEntries(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  limits: TarLimits,
  signal: AbortSignal,
): AsyncGenerator<TarEntry> {
  const bytes = new TarBytes(chunks, name, limits.bytes, signal);
  try {
    let count = 0;
    for (;;) {
      const described = await nextHeader(bytes);
      if (described === undefined) break;
      if (++count > limits.entries) throw tooMany(name, limits.entries);
      const { path, link, type, size } = described;
      bytes.remaining = size;
      const end = bytes.position + size;
      yield {
        path,
        type,
        size,
        ...(link === undefined ? {} : { link }),
        offset: bytes.position,
        content: () => bytes.pieces(),
      };
      bytes.remaining = end - bytes.position + padding(size);
      await bytes.skip();
    }
    await bytes.drain();
  } catch (error) {
    throw error instanceof TarError ? damaged(name, error.message) : error;
  } finally {
    await bytes.close();
  }
}

interface Described {
  readonly path: string;
  readonly link: string | undefined;
  readonly type: TarType;
  readonly size: number;
}

/** The next entry with everything that the headers before it say; undefined at the end. */
async function nextHeader(bytes: TarBytes): Promise<Described | undefined> {
  let longPath: string | undefined;
  let longLink: string | undefined;
  let pax: PaxFields = {};
  for (let prefaces = 0; prefaces <= MAX_PREFACES; prefaces++) {
    const header = await readHeader(bytes);
    if (header === undefined) {
      if (prefaces > 0) throw new TarError("it ends after a header that describes the next one");
      return undefined;
    }
    const { size } = header;
    switch (header.flag) {
      case "x":
      case "g": {
        if (size > MAX_PAX) throw new TarError(`a pax header has ${sizeText(size)}; the limit is ${sizeText(MAX_PAX)}`);
        const fields = paxFields(await bytes.whole(size));
        if (header.flag === "g" && Object.keys(fields).length > 0)
          throw new TarError("a global pax header names a path or a size, which container engines do not apply");
        // To Go a global header is an entry of its own: it takes what was said about the next one.
        if (header.flag === "g") [longPath, longLink] = [undefined, undefined];
        pax = fields;
        break;
      }
      case "L":
        longPath = terminated(await bytes.whole(requireShort(size)));
        break;
      case "K":
        longLink = terminated(await bytes.whole(requireShort(size)));
        break;
      default:
        return described(header, longPath || pax.path, longLink || pax.link, pax.size);
    }
  }
  throw new TarError(`more than ${MAX_PREFACES} headers describe one entry`);
}

function described(header: Header, path = header.path, link = header.link, paxSize: number | undefined): Described {
  requireShort(Buffer.byteLength(path));
  requireShort(Buffer.byteLength(link));
  if (path === "") throw new TarError("an entry has no name");
  if (path.includes("\0") || link.includes("\0")) throw new TarError("a name contains a NUL byte");
  // Only the oldest flag leaves it to the name; with any other, bytes of content follow.
  const type = header.flag === "\0" && path.endsWith("/") ? "directory" : typeOf(header.flag);
  const isLink = type === "link" || type === "symlink";
  // Engines read no content behind these, whatever the header says.
  const hasContent = type === "file" || type === "other";
  return { path, link: isLink ? link : undefined, type, size: hasContent ? (paxSize ?? header.size) : 0 };
}

function typeOf(flag: string): TarType {
  switch (flag) {
    case "\0":
    case "0":
    case "7":
      return "file";
    case "1":
      return "link";
    case "2":
      return "symlink";
    case "3":
    case "4":
      return "device";
    case "5":
      return "directory";
    case "6":
      return "pipe";
    case "S":
      throw new TarError("it contains a sparse file, which Plimsoll does not read");
    default:
      return "other";
  }
}

/** The next header; undefined at the end: two blocks of zeros, or no more bytes. */
async function readHeader(bytes: TarBytes): Promise<Header | undefined> {
  const block = await bytes.block();
  if (block === undefined) return undefined;
  if (!isZero(block)) return headerOf(block);
  const second = await bytes.block();
  if (second === undefined || isZero(second)) return undefined;
  throw new TarError("a single block of zeros is followed by other content");
}

function requireShort(length: number): number {
  // GNU names end with a NUL.
  if (length > MAX_PATH + 1)
    throw new TarError(`a path has ${counted(length, "byte")}; the limit is ${counted(MAX_PATH, "byte")}`);
  return length;
}

function terminated(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return textOf(end === -1 ? bytes : bytes.subarray(0, end));
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** The bytes of the stream in the portions that a tar has. */
class TarBytes {
  /** Bytes that were consumed. */
  position = 0;
  /** Bytes that `pieces` gives and `skip` skips. */
  remaining = 0;
  readonly #stream: AsyncIterator<Uint8Array>;
  readonly #name: string;
  readonly #limit: number;
  readonly #signal: AbortSignal;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  #arrived = 0;

  constructor(chunks: AsyncIterable<Uint8Array>, name: string, limit: number, signal: AbortSignal) {
    this.#stream = chunks[Symbol.asyncIterator]();
    this.#name = name;
    this.#limit = limit;
    this.#signal = signal;
  }

  /** A header block, valid until the next call; undefined at the end of the stream. */
  async block(): Promise<Uint8Array | undefined> {
    const part = this.#take(BLOCK);
    if (part.length === BLOCK) return part;
    if (part.length > 0) return this.#exactly(BLOCK, part);
    return (await this.#more()) ? this.#exactly(BLOCK, part) : undefined;
  }

  /** The content of an entry, which must be small, without the padding behind it. */
  async whole(size: number): Promise<Uint8Array> {
    const all = await this.#exactly(size, new Uint8Array(0));
    this.remaining = padding(size);
    await this.skip();
    return all;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    while (this.remaining > 0) {
      if (this.#at === this.#chunk.length) await this.#require();
      const piece = this.#take(this.remaining);
      this.remaining -= piece.length;
      yield piece;
    }
  }

  async skip(): Promise<void> {
    while (this.remaining > 0) {
      if (this.#at === this.#chunk.length) await this.#require();
      this.remaining -= this.#take(this.remaining).length;
    }
  }

  /** Reads what follows the end of the archive: only then is the whole stream verified. */
  async drain(): Promise<void> {
    while (await this.#more());
  }

  async close(): Promise<void> {
    await this.#stream.return?.();
  }

  async #exactly(size: number, begun: Uint8Array): Promise<Uint8Array> {
    const all = new Uint8Array(size);
    all.set(begun);
    for (let length = begun.length; length < size; ) {
      if (this.#at === this.#chunk.length) await this.#require();
      const part = this.#take(size - length);
      all.set(part, length);
      length += part.length;
    }
    return all;
  }

  #take(most: number): Uint8Array {
    const part = this.#chunk.subarray(this.#at, this.#at + most);
    this.#at += part.length;
    this.position += part.length;
    return part;
  }

  async #require(): Promise<void> {
    if (!(await this.#more())) throw damaged(this.#name, "it ends in the middle of an entry");
  }

  /** The next chunk that is not empty, if there is one. */
  async #more(): Promise<boolean> {
    for (;;) {
      if (this.#signal.aborted) throw cancelled();
      const next = await this.#stream.next();
      if (next.done) return false;
      this.#arrived += next.value.length;
      if (this.#arrived > this.#limit) throw tooLarge(this.#name, this.#limit);
      this.#chunk = next.value;
      this.#at = 0;
      if (next.value.length > 0) return true;
    }
  }
}

function damaged(name: string, reason: string): NetFailure {
  return new NetFailure("malformed", `${name} is not a tar that can be read: ${reason}`, {
    help: "build the image again, and push or save it again",
  });
}

function tooMany(name: string, limit: number): NetFailure {
  return new NetFailure("malformed", `${name} has more than ${counted(limit, "file")}, which is the limit`, {
    help: "build an image that contains only the catalog",
  });
}

function tooLarge(name: string, limit: number): NetFailure {
  return new NetFailure("malformed", `${name} unpacks to more than ${sizeText(limit)}, which is the limit`, {
    help: "build an image that contains only the catalog",
  });
}
