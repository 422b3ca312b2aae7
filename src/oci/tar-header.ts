// What does one header block of a tar say? Its checksum must be right.

import { isUtf8 } from "node:buffer";
import { quoted } from "../text/words.ts";

/** Why a tar cannot be read: the end of a sentence. */
export class TarError extends Error {}

export interface Header {
  readonly path: string;
  readonly link: string;
  readonly size: number;
  /** The type of the entry: one character. */
  readonly flag: string;
}

const CHECKSUM = 148;
const MAGIC = 257;
const TRAILER = 508;

export function headerOf(block: Uint8Array): Header {
  requireChecksum(block);
  return {
    path: pathOf(block),
    link: cString(block, 157, 100),
    size: sizeOf(block),
    flag: String.fromCharCode(block[156] as number),
  };
}

export function isZero(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** The name, behind the prefix that only POSIX headers have. */
function pathOf(block: Uint8Array): string {
  const name = cString(block, 0, 100);
  if (latin(block, MAGIC, 6) !== "ustar\0") return name;
  // The older format of star has times in the second part of the prefix.
  const prefix = cString(block, 345, latin(block, TRAILER, 4) === "tar\0" ? 131 : 155);
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Octal digits; or, if the first bit is set, a binary number. */
function sizeOf(block: Uint8Array): number {
  const field = block.subarray(124, 136);
  const first = field[0] as number;
  if ((first & 0x80) !== 0) {
    // The second bit is the sign.
    if ((first & 0x40) !== 0) throw new TarError("an entry has a negative size");
    let size = first & 0x3f;
    for (const byte of field.subarray(1)) size = size * 256 + byte;
    return requireSafe(size);
  }
  return requireSafe(octal(block, 124, 12, "size"));
}

export function requireSafe(size: number): number {
  if (!Number.isSafeInteger(size)) throw new TarError("the size of an entry is too large");
  return size;
}

/** Is the checksum that of the block, with spaces in its own place? Old writers added up signed bytes. */
function requireChecksum(block: Uint8Array): void {
  let sum = 8 * 0x20;
  let large = 0;
  for (let at = 0; at < block.length; at++) {
    const byte = block[at] as number;
    sum += byte;
    large += byte >> 7;
  }
  for (let at = CHECKSUM; at < CHECKSUM + 8; at++) {
    const byte = block[at] as number;
    sum -= byte;
    large -= byte >> 7;
  }
  const said = octal(block, CHECKSUM, 8, "checksum");
  if (said !== sum && said !== sum - 256 * large)
    throw new TarError("the checksum of a header is wrong: this is not a tar, or it is damaged");
}

/** Octal digits between spaces and NULs; none is zero. */
function octal(block: Uint8Array, from: number, length: number, what: string): number {
  const isBlank = (at: number): boolean => block[at] === 0x20 || block[at] === 0;
  let at = from;
  let end = from + length;
  while (at < end && isBlank(at)) at++;
  while (end > at && isBlank(end - 1)) end--;
  let value = 0;
  for (; at < end; at++) {
    const digit = (block[at] as number) - 0x30;
    if (digit < 0 || digit > 7)
      throw new TarError(`the ${what} of a header is ${quoted(latin(block, from, length))}, which is not octal`);
    value = value * 8 + digit;
  }
  return value;
}

function cString(block: Uint8Array, from: number, length: number): string {
  const field = block.subarray(from, from + length);
  const end = field.indexOf(0);
  return end === 0 ? "" : textOf(end === -1 ? field : field.subarray(0, end));
}

function latin(block: Uint8Array, from: number, length: number): string {
  return Buffer.from(block.buffer, block.byteOffset + from, length).toString("latin1");
}

/** Names that are not UTF-8 are read as Latin-1, so that two different names stay different. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(isUtf8(bytes) ? "utf8" : "latin1");
}
