// What are the bytes of a catalog, whichever way they come? Named parts, a digest by which the assembled catalog is known again,
// and what the source does not carry. The parts are read only if they are needed.

import type { Finding } from "../model/finding.ts";

export interface RemoteContent {
  /** The names of all parts begin with it. */
  readonly prefix: string;
  /** Equal for equal content of all parts. */
  readonly digest: string;
  /** For `cache list`. */
  readonly about: string;
  /** Every part by its name, in the order in which they are read; read once. */
  parts(): Promise<RemoteParts>;
  /** The mirror that it came from, if it is known to have come from one. */
  mirror?(): string | undefined;
}

export interface RemoteParts {
  readonly bytes: ReadonlyMap<string, Uint8Array>;
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
