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
  yield* isPacked(first.value) ? unpack(all) : all;
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

async function* unpack(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK });
  const feeding = (async () => {
    // A copy, because the stream keeps a chunk longer than it is good for.
    for await (const chunk of packed)
      if (!gunzip.write(chunk.slice())) await new Promise<void>((resolve) => gunzip.once("drain", resolve));
    gunzip.end();
  })().catch((error) => gunzip.destroy(error));
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
    await feeding;
  } catch (error) {
    throw new UnreadableError(gzipReason(error));
  } finally {
    gunzip.destroy();
  }
}

function gzipReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "Z_BUF_ERROR") return "the gzip file ends too early; what stands before is used";
  if (code === "Z_DATA_ERROR") return "the gzip file is damaged; what stands before the damage is used";
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
