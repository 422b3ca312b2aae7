// Can this image reference be pulled as written? The grammar is that of the container distribution project:
// [host[:port]/]path[:tag][@algorithm:digest]. Implemented as one linear scan; a regular expression of the whole
// grammar is hard to read and harder to bound.

import { quoted } from "../../text/words.ts";

const MAX_NAME_LENGTH = 255;
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const HOST =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(?::[0-9]+)?$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
/** The digest algorithms of registries, with the length of their hexadecimal form. */
const DIGESTS: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/** A message shows a reference of this length whole: a repository with a digest is longer than other quoted texts. */
export const MAX_IMAGE_LENGTH = 400;

/** Why an image reference is malformed; undefined if it is well formed. */
export function imageFault(reference: string): string | undefined {
  let name = reference;
  const at = name.indexOf("@");
  if (at >= 0) {
    const fault = digestFault(name.slice(at + 1));
    if (fault !== undefined) return fault;
    name = name.slice(0, at);
  }
  const colon = name.lastIndexOf(":");
  if (colon > name.lastIndexOf("/")) {
    if (!TAG.test(name.slice(colon + 1))) return `the tag ${quoted(name.slice(colon + 1))} is malformed`;
    name = name.slice(0, colon);
  }
  if (name === "") return "the name is missing";
  if (name.length > MAX_NAME_LENGTH) return `the name is longer than ${MAX_NAME_LENGTH} characters`;
  const parts = name.split("/");
  const first = parts[0] as string;
  if (/^[0-9a-f]{64}$/.test(reference)) return "64 hexadecimal digits are an image id, not a name";
  if (parts.length > 1 && (/[.:]/.test(first) || first === "localhost")) {
    if (!HOST.test(first)) return `the host ${quoted(first)} is malformed`;
    parts.shift();
  }
  const bad = parts.find((part) => !COMPONENT.test(part));
  if (bad === undefined) return undefined;
  return /[A-Z]/.test(bad) ? `${quoted(bad)} has capital letters` : `${quoted(bad)} is not a name of an image`;
}

function digestFault(digest: string): string | undefined {
  const colon = digest.indexOf(":");
  const algorithm = digest.slice(0, Math.max(colon, 0));
  const length = Object.hasOwn(DIGESTS, algorithm) ? DIGESTS[algorithm] : undefined;
  if (length === undefined) return `the digest algorithm ${quoted(algorithm)} is not one of sha256, sha384, sha512`;
  const hex = digest.slice(colon + 1);
  if (!/^[0-9a-f]*$/.test(hex)) return "the digest is not lower-case hexadecimal";
  return hex.length === length ? undefined : `the digest has ${hex.length} digits instead of ${length}`;
}
