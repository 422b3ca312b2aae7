// What is a digest? `sha256:` or `sha512:` and as many hexadecimal digits as the hash has. Only such a text may become a part of
// a path or of an address.

import { createHash, type Hash } from "node:crypto";

const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

export function isDigest(text: string): boolean {
  return text.length <= 135 && DIGEST.test(text);
}

/** The algorithm of a digest, as Node names it, and its digits. */
export function digestParts(digest: string): { readonly algorithm: string; readonly hex: string } {
  const colon = digest.indexOf(":");
  return { algorithm: digest.slice(0, colon), hex: digest.slice(colon + 1) };
}

/** The hash that computes a digest of the same kind. */
export function hashFor(digest: string): Hash {
  return createHash(digestParts(digest).algorithm);
}

/** The digest of bytes: sha256, or the algorithm of another digest. */
export function digestOf(bytes: Uint8Array, like = "sha256:"): string {
  return `${digestParts(like).algorithm}:${hashFor(like).update(bytes).digest("hex")}`;
}
