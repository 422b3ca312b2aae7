// Are these the bytes that a descriptor names? They are passed on while they are counted and hashed; the last word is at their end.

import { NetFailure } from "../net/failure.ts";
import { counted, quoted } from "../text/words.ts";
import { digestParts, hashFor, isDigest } from "./digest.ts";
import type { Descriptor } from "./image-source.ts";

const HELP = "try again; if it happens again, the image is damaged where it is stored: push or save it again";

/**
 * The chunks, unchanged. Throws as soon as there are more bytes than the descriptor says, and at their end if there are fewer or
 * their digest is another; a size that is not known is not checked. `name` is where they come from: `the registry quay.io`.
 */
export async function* verified(
  chunks: AsyncIterable<Uint8Array>,
  descriptor: Pick<Descriptor, "digest"> & Partial<Pick<Descriptor, "size">>,
  name: string,
): AsyncGenerator<Uint8Array> {
  const { digest, size } = descriptor;
  requireDigest(digest, name);
  const hash = hashFor(digest);
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (size !== undefined && length > size)
      throw otherBytes(name, digest, `more than the ${counted(size, "byte")} that it should have`);
    hash.update(chunk);
    yield chunk;
  }
  if (size !== undefined && length < size)
    throw otherBytes(name, digest, `${counted(length, "byte")} instead of the ${size} that it should have`);
  const { algorithm } = digestParts(digest);
  const actual = `${algorithm}:${hash.digest("hex")}`;
  if (actual !== digest) throw otherBytes(name, digest, `content whose digest is ${actual}`);
}

/** Throws unless the text is a digest that can be verified. */
export function requireDigest(digest: string, name: string): void {
  if (isDigest(digest)) return;
  throw new NetFailure(
    "malformed",
    `${name} names a blob by ${quoted(digest, 140)}, which is not a sha256 or sha512 digest`,
    {
      help: "build and push the image again",
    },
  );
}

/** All bytes of something small; throws if there are more than the limit. */
export async function collected(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
  tooLarge: () => NetFailure,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limit) throw tooLarge();
    // A chunk is valid until the next one only.
    parts.push(chunk.slice());
  }
  return Buffer.concat(parts, length);
}

function otherBytes(name: string, digest: string, what: string): NetFailure {
  return new NetFailure("malformed", `${name} gives other bytes for ${digest}: ${what}`, { help: HELP });
}
