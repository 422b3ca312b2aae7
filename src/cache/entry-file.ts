// What is in a file of the cache? A line with a digest and a header, then the payload. The digest is that of
// everything behind it, so that no edit and no damage goes unnoticed.

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { isOwn } from "./cache-directory.ts";
import { type Disk, READ } from "./disk.ts";

/** Changed with every change of the form: entries of another one are damaged ones. */
const FORMAT = 1;

/** Maximum length of the first line. */
const MAX_HEADER = 64 * 1024;
const DIGEST_LENGTH = 64;
const LINE_END = 0x0a;
/** Bytes of one read; systems refuse 2 GiB. */
const MAX_READ = 256 * 1024 * 1024;

/** What an entry is, without its payload. */
export interface Header {
  readonly kind: string;
  readonly key: string;
  /** For the user: what the payload was made from. */
  readonly about: string;
  /** Bytes of the payload. */
  readonly length: number;
}

/** What a file holds. */
export interface Content {
  readonly header: Header;
  readonly payload: Uint8Array;
}

/** The name of the file of an entry in the folder of its kind. */
export function fileName(kind: string, key: string): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, key]))
    .digest("hex");
}

/** The parts of a file, in their order; undefined if the key is too long: keys have names from outside in them. */
export function fileParts(
  { kind, key, about }: Omit<Header, "length">,
  payload: Uint8Array,
): readonly Uint8Array[] | undefined {
  const rest = ` ${JSON.stringify({ format: FORMAT, kind, key, about, length: payload.length })}\n`;
  if (DIGEST_LENGTH + Buffer.byteLength(rest) > MAX_HEADER) return undefined;
  return [Buffer.from(digestOf(Buffer.from(rest), payload) + rest), payload];
}

function digestOf(...parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** The content of a file; undefined if a byte of it is not what was written. */
export function contentOf(bytes: Uint8Array): Content | undefined {
  const lineEnd = bytes.subarray(0, MAX_HEADER).indexOf(LINE_END);
  const header = headerOf(bytes.subarray(0, lineEnd + 1));
  if (header === undefined || header.length !== bytes.length - lineEnd - 1) return undefined;
  const digest = Buffer.from(bytes.subarray(0, DIGEST_LENGTH)).toString("latin1");
  if (digestOf(bytes.subarray(DIGEST_LENGTH)) !== digest) return undefined;
  return { header, payload: bytes.subarray(lineEnd + 1) };
}

/** The header of a first line, or undefined; it is not verified. */
function headerOf(line: Uint8Array): Header | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(line.subarray(DIGEST_LENGTH)).toString("utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    const { format, kind, key, about, length } = value as Record<string, unknown>;
    if (format !== FORMAT || typeof kind !== "string" || typeof key !== "string") return undefined;
    if (typeof about !== "string" || typeof length !== "number") return undefined;
    return { kind, key, about, length };
  } catch {
    return undefined;
  }
}

/** The bytes of a file, at most so many. Undefined if there is no regular file of this user; the file is marked as used now. */
export async function readOwnFile(disk: Disk, path: string, most: number): Promise<Uint8Array | undefined> {
  return withOwnFile(disk, path, async (handle, size) => {
    if (size > most) return undefined;
    const bytes = await beginning(handle, size);
    const now = new Date();
    // The time is that of the last use. A file system that is read-only keeps the old one.
    await handle.utimes(now, now).catch(() => {});
    return bytes;
  });
}

/** The header of a file, not verified; undefined if it cannot be read. */
export async function readHeader(disk: Disk, path: string): Promise<Header | undefined> {
  return withOwnFile(disk, path, async (handle, size) => {
    const bytes = await beginning(handle, Math.min(size, MAX_HEADER));
    return headerOf(bytes.subarray(0, bytes.indexOf(LINE_END) + 1));
  });
}

/** Works on a file; undefined if there is none that may be read. */
async function withOwnFile<Result>(
  disk: Disk,
  path: string,
  work: (handle: FileHandle, size: number) => Promise<Result>,
): Promise<Result | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await disk.open(path, READ);
    const stats = await handle.stat();
    return stats.isFile() && isOwn(stats) ? await work(handle, stats.size) : undefined;
  } catch {
    // No such file, a link, no permission, a broken disk: nothing is known.
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** The first bytes of a file; fewer if it has become shorter. */
async function beginning(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, Math.min(size - length, MAX_READ), length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
