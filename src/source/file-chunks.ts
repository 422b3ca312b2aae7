// What are the bytes of a file? Read in chunks, and decompressed if they are gzip, under any file name.

import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { Socket } from "node:net";
import { devNull } from "node:os";
import { isMainThread } from "node:worker_threads";
import { createGunzip } from "node:zlib";
import { UnreadableError } from "../input/read-documents.ts";
import { concat } from "../input/whole-lines.ts";

const CHUNK = 1024 * 1024;
const NO_FILE = "this is a terminal or a device; give it as - instead";
const GZIP_MAGIC = [0x1f, 0x8b];

/** The bytes of a file or pipe. A chunk is valid until the next one is requested. */
export async function* fileChunks(path: string, onBytes?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  yield* unpacked(isPipe(path) ? pipeChunks(path) : handleChunks(path, onBytes));
}

/** The bytes of standard input. */
export function standardInput(): AsyncGenerator<Uint8Array> {
  return unpacked(process.stdin as AsyncIterable<Uint8Array>);
}

/** Is a path a pipe, such as that of `<(command)`, which can be read only once? */
export function isPipe(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/** Do these bytes begin a gzip file? */
export function isGzip(head: Uint8Array): boolean {
  return GZIP_MAGIC.every((byte, index) => head[index] === byte);
}

/** The bytes, decompressed if they are gzip. */
export async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = chunks[Symbol.asyncIterator]();
  try {
    let head: Uint8Array = new Uint8Array(0);
    while (head.length < GZIP_MAGIC.length) {
      const next = await stream.next();
      if (next.done) break;
      head = head.length === 0 ? next.value : concat(head, next.value);
    }
    const all = (async function* (): AsyncGenerator<Uint8Array> {
      if (head.length > 0) yield head;
      for (let next = await stream.next(); !next.done; next = await stream.next()) yield next.value;
    })();
    yield* isGzip(head) ? unpack(all) : all;
  } catch (error) {
    throw error instanceof UnreadableError ? error : new UnreadableError(reasonOf(error));
  } finally {
    await stream.return?.();
  }
}

// Without O_NONBLOCK a named pipe without a writer would block uninterruptibly.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The bytes of a file: a small one at once, which takes a tenth of the time; a larger one reuses one buffer. */
async function* handleChunks(path: string, onBytes?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const small = smallFile(path);
  if (small !== undefined) {
    onBytes?.(small.length);
    yield small.slice();
    return;
  }
  const handle = await open(path, READ);
  try {
    const stats = await handle.stat();
    // /dev/zero never ends, /dev/null is empty.
    if (stats.isCharacterDevice() && path !== devNull) throw new UnreadableError(NO_FILE);
    const buffer = new Uint8Array(CHUNK);
    for (let position = 0; ; ) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      onBytes?.(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

let scratch: Uint8Array | undefined;

/** The bytes of a regular file of less than a chunk, until the next call; undefined for anything else. */
export function smallFile(path: string): Uint8Array | undefined {
  const descriptor = openSync(path, READ);
  try {
    const stats = fstatSync(descriptor);
    // Files of /proc are regular, too, but state no size.
    if (!stats.isFile() || stats.size === 0 || stats.size >= CHUNK) return undefined;
    scratch ??= new Uint8Array(CHUNK);
    for (let length = 0; length < CHUNK; ) {
      const read = readSync(descriptor, scratch, length, CHUNK - length, null);
      if (read === 0) return scratch.subarray(0, length);
      length += read;
    }
    return undefined; // it has grown
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The socket waits for the pipe's first writer, and closes the descriptor. A worker thread closes every descriptor
 * that was opened in it again when it ends, even if the number has been reused: nothing may take one over there.
 */
async function* pipeChunks(path: string): AsyncGenerator<Uint8Array> {
  if (!isMainThread) throw new UnreadableError("a pipe cannot be read in a worker thread");
  yield* new Socket({ fd: openSync(path, READ), readable: true, writable: false }) as AsyncIterable<Uint8Array>;
}

/** Compressed bytes processed at a time: a kilobyte of gzip can become a megabyte. */
const PACKED_SLICE = 4 * 1024;

/**
 * Decompresses gzip slice by slice, so that a bomb does not fill the memory and damage does not lose what came before
 * it. The next slice is decompressed in another thread while the caller works on the last.
 */
async function* unpack(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  let unpacked: Uint8Array[] = [];
  gunzip.on("data", (chunk: Uint8Array) => unpacked.push(chunk));
  const failed = new Promise<unknown>((resolve) => gunzip.on("error", resolve));
  const step = (act: (done: () => void) => void): Promise<unknown> =>
    Promise.race([failed, new Promise<undefined>((resolve) => act(() => resolve(undefined)))]);
  const ended = new Promise<undefined>((resolve) => gunzip.on("end", () => resolve(undefined)));
  const taken = (): readonly Uint8Array[] => {
    const chunks = unpacked;
    unpacked = [];
    return chunks;
  };
  try {
    let underWay: Promise<unknown> = Promise.resolve();
    let error: unknown;
    for await (const chunk of packed) {
      for (let at = 0; at < chunk.length && error === undefined; at += PACKED_SLICE) {
        error = await underWay;
        const ready = taken();
        const slice = chunk.slice(at, at + PACKED_SLICE);
        if (error === undefined) underWay = step((done) => gunzip.write(slice, done));
        yield* ready;
      }
      if (error !== undefined) break;
    }
    error ??= await underWay;
    if (error === undefined) {
      gunzip.end();
      error = await Promise.race([failed, ended]);
    }
    yield* taken();
    if (error !== undefined) throw new UnreadableError(gzipReason(error));
  } finally {
    gunzip.destroy();
  }
}

function gzipReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "Z_BUF_ERROR") return "the gzip file ends too early; the documents that are whole are used";
  if (code === "Z_DATA_ERROR") return "the gzip file is damaged; the documents before the damage are used";
  return reasonOf(error);
}

/** Why a file or directory cannot be read, for messages. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return "no such file or directory";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "ELOOP":
      return "symbolic links form a cycle";
    case "ENOTDIR":
      return "a part of the path is not a directory";
    case "EISDIR":
      return "this is a directory";
    case "ENAMETOOLONG":
      return "the name is too long";
    case "ERR_INVALID_ARG_VALUE":
      return "the name contains a null character";
    case "EAGAIN":
    case "ESPIPE":
      return NO_FILE;
    default:
      if (code === undefined) throw error;
      return message;
  }
}
