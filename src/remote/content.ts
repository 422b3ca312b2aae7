// What are the bytes of a catalog, whichever way they come? Named parts, a digest by which the assembled catalog is known again,
// and what the source does not carry. The parts are read only if they are needed.

import type { Finding } from "../model/finding.ts";
import type { JsonObject } from "../model/json.ts";

export interface RemoteContent {
  /** The names of all parts begin with it. */
  readonly prefix: string;
  /** Equal for equal content of all parts. Those of servers have a word before them: they choose bytes that hash as an image does. */
  readonly digest: string;
  /** For `cache list`. */
  readonly about: string;
  /** All parts; read once. */
  parts(): Promise<RemoteParts>;
  /** The mirror that it came from, if it is known to have come from one. */
  mirror?(): string | undefined;
}

export interface RemoteParts {
  /** What they are called, in the order in which they are read. */
  readonly names: readonly string[];
  bytesOf(name: string): Uint8Array | undefined;
  /** The documents of the only part, if they do not come as text: each has a line of its own. */
  readonly documents?: readonly JsonObject[];
  /** What the source does not carry, or what of it is not read. */
  readonly findings: readonly Finding[];
}

/** Calls it once; later calls get the same result. */
export function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
