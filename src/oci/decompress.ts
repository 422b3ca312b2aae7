// What are the bytes of a layer or an archive, decompressed? gzip is recognised by its first bytes, whatever the media type says.

import { createGunzip, type Gunzip } from "node:zlib";
import { NetFailure } from "../net/failure.ts";
import { sizeText } from "./size-text.ts";

/** A bomb ends here: more than both of these. Text compresses to a tenth, rarely to a fiftieth. */
const FREE = 1024 * 1024 * 1024;
const MAX_RATIO = 200;

const COMPRESSIONS: readonly { readonly name: string; readonly magic: readonly number[] }[] = [
  { name: "gzip", magic: [0x1f, 0x8b] },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  { name: "bzip2", magic: [0x42, 0x5a, 0x68] },
];
const HEAD = 5;

/** The bytes, decompressed if they are gzip. `name` is what they are, for messages: `the layer sha256:…`. */
export async function* decompressed(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const stream = chunks[Symbol.asyncIterator]();
  try {
    let head: Uint8Array = new Uint8Array(0);
    while (head.length < HEAD) {
      const next = await stream.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
    }
    const all = (async function* (): AsyncGenerator<Uint8Array> {
      if (head.length > 0) yield head;
      for (let next = await stream.next(); !next.done; next = await stream.next()) yield next.value;
    })();
    const compression = compressionOf(head);
    if (compression === undefined) yield* all;
    else if (compression === "gzip") yield* gunzipped(all, name);
    else throw unknownCompression(name, compression);
  } finally {
    await stream.return?.();
  }
}

/** How bytes that begin so are compressed; undefined if they are not. */
export function compressionOf(head: Uint8Array): string | undefined {
  return COMPRESSIONS.find(({ magic }) => magic.every((byte, index) => head[index] === byte))?.name;
}

export function unknownCompression(name: string, compression: string): NetFailure {
  return new NetFailure("malformed", `${name} is compressed with ${compression}, which Plimsoll does not read`, {
    help: "build or copy the image with gzip layers, such as with `skopeo copy --dest-compress-format gzip --dest-force-compress-format`",
  });
}

/** The stream holds little: it decompresses only as much as is requested. */
async function* gunzipped(packed: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let arrived = 0;
  let given = 0;
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const fed = feed(packed, gunzip, (bytes) => {
    arrived += bytes;
  });
  // The reader of the other end sees the same failure; if it has ended, it waits for the rest.
  fed.catch((error) => gunzip.destroy(error));
  gunzip.on("error", () => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      given += chunk.length;
      if (given > FREE && given > MAX_RATIO * arrived) throw bomb(name, arrived);
      yield chunk;
    }
    await fed;
  } catch (error) {
    throw gzipFailure(error, name);
  } finally {
    gunzip.destroy();
  }
}

/** Writes chunk by chunk, and reads the padding that may follow: only then are all bytes verified. */
async function feed(
  packed: AsyncIterable<Uint8Array>,
  gunzip: Gunzip,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const closed = new Promise<void>((resolve) => gunzip.once("close", resolve));
  let written = 0;
  let isPadding = false;
  for await (const chunk of packed) {
    onBytes(chunk.length);
    if (isPadding) continue;
    await Promise.race([closed, new Promise<void>((resolve) => gunzip.write(chunk, () => resolve()))]);
    written += chunk.length;
    isPadding = gunzip.readableEnded || gunzip.bytesWritten < written;
    if (gunzip.destroyed && !gunzip.readableEnded) return;
  }
  if (!isPadding) gunzip.end();
}

function bomb(name: string, arrived: number): NetFailure {
  const ratio = `more than ${sizeText(FREE)}, and to more than ${MAX_RATIO} times its size`;
  return new NetFailure("malformed", `${name} unpacks to ${ratio}: ${sizeText(arrived)} of it were read`, {
    help: "build an image that contains only the catalog; nothing else compresses so well",
  });
}

function gzipFailure(error: unknown, name: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const help = "build the image again, and push or save it again";
  if (code === "Z_BUF_ERROR") return new NetFailure("malformed", `the gzip of ${name} ends too early`, { help });
  if (code?.startsWith("Z_")) return new NetFailure("malformed", `the gzip of ${name} is damaged`, { help });
  return error;
}
