// What are the bytes of a file? Read in pieces and unpacked if the file is compressed, whatever its name says.

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { UnreadableError } from "../input/read-documents.ts";

const CHUNK = 1024 * 1024;
const GZIP_MAGIC = [0x1f, 0x8b];

/** The bytes of a file. A chunk is only good until the next one is asked for. */
export async function* fileChunks(path: string, onBytes?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let handle: FileHandle;
  try {
    // Without O_NONBLOCK a named pipe that nobody writes to would be waited for forever.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw new UnreadableError(reasonOf(error));
  }
  try {
    const head = new Uint8Array(GZIP_MAGIC.length);
    await handle.read(head, 0, head.length, 0);
    const plain = handleChunks(handle, onBytes);
    yield* isPacked(head) ? unpack(plain) : plain;
  } catch (error) {
    throw error instanceof UnreadableError ? error : new UnreadableError(reasonOf(error));
  } finally {
    await handle.close();
  }
}

/** The bytes of standard input. */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  const stream = (process.stdin as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  const first = await stream.next();
  if (first.done) return;
  const all = (async function* (): AsyncGenerator<Uint8Array> {
    for (let next: IteratorResult<Uint8Array> = first; !next.done; next = await stream.next()) yield next.value;
  })();
  try {
    yield* isPacked(first.value) ? unpack(all) : all;
  } catch (error) {
    throw error instanceof UnreadableError ? error : new UnreadableError(reasonOf(error));
  }
}

function isPacked(head: Uint8Array): boolean {
  return GZIP_MAGIC.every((byte, index) => head[index] === byte);
}

/** Reads into one buffer again and again: its readers copy what they keep. */
async function* handleChunks(handle: FileHandle, onBytes?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    onBytes?.(bytesRead);
    yield buffer.subarray(0, bytesRead);
  }
}

/** How much is unpacked at a time: a kilobyte of gzip can become a megabyte. */
const PACKED_SLICE = 4 * 1024;

/**
 * Unpacks gzip slice by slice, so that neither a bomb fills the memory nor damage costs what was unpacked before it. The
 * next slice is unpacked in another thread while the caller works on what came out of the last.
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

/** Why a file or directory cannot be read, for a person. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return "no such file or directory";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "ELOOP":
      return "symbolic links lead in a circle";
    case "ENOTDIR":
      return "a part of the path is not a directory";
    case "EISDIR":
      return "this is a directory";
    case "ENAMETOOLONG":
      return "the name is too long";
    case "EAGAIN":
    case "ESPIPE":
      return "this is a pipe; give it as - instead";
    default:
      if (code === undefined) throw error;
      return message;
  }
}
