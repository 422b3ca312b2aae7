// What does a catalogd serve? The whole catalog as JSON lines. A copy that is known already is only asked about: the server
// states when it was last modified, and has no other sign of a version.

import { createHash } from "node:crypto";
import { NetFailure } from "../net/failure.ts";
import type { Response } from "../net/transport.ts";

/** A way to ask for one catalog: directly, or through the API server of a cluster. */
export interface CatalogdServer {
  /** For messages: `catalogd at https://…`. */
  readonly name: string;
  /** The URL of the catalog, by which a known copy is found. */
  readonly url: string;
  /** How the catalog was read, for people. */
  readonly about: string;
  /** Sends a GET. Failures are `NetFailure`s; a status other than 200 and 304 is one of them. */
  request<Result>(
    headers: Readonly<Record<string, string>>,
    use: (response: Response) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
}

/** All documents of a catalog, as they came. */
export interface CatalogdCopy {
  readonly lastModified: string;
  /** Of the lines. */
  readonly digest: string;
  readonly lines: Uint8Array;
}

/** Catalogs are a few hundred megabytes at most. */
const MAX_BYTES = 1024 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Reads the catalog; a copy that is still valid is returned as it is. */
export async function readCatalogd(
  server: CatalogdServer,
  known: CatalogdCopy | undefined,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<CatalogdCopy> {
  const headers: Record<string, string> =
    known === undefined || known.lastModified === "" ? {} : { "If-Modified-Since": known.lastModified };
  return server.request(
    headers,
    async (response) => {
      if (response.status === 304 && known !== undefined) return known;
      const pieces: Uint8Array[] = [];
      const hash = createHash("sha256");
      let bytes = 0;
      for await (const piece of response.body) {
        bytes += piece.length;
        if (bytes > MAX_BYTES) throw broken(server, "sends more than 1 GiB");
        pieces.push(piece.slice());
        hash.update(piece);
        onBytes(piece.length);
      }
      const lines = Buffer.concat(pieces);
      checkEnd(server, lines);
      const [modified = ""] = [response.headers["last-modified"]].flat();
      return { lastModified: modified, digest: `sha256:${hash.digest("hex")}`, lines };
    },
    signal,
  );
}

/** The last line must be a whole document: the server may have ended in the middle of one. */
function checkEnd(server: CatalogdServer, lines: Uint8Array): void {
  let end = lines.length;
  while (end > 0 && (lines[end - 1] as number) <= 0x20) end--;
  const last = lines.subarray(lines.lastIndexOf(NEWLINE, end - 1) + 1, end);
  if (last.length === 0) return;
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(last));
  } catch {
    throw broken(server, "ends in the middle of a document");
  }
}

function broken({ name }: CatalogdServer, what: string): NetFailure {
  return new NetFailure("malformed", `${name} ${what}`, {
    help: "check that the address is that of a catalogd, and try again",
  });
}

/** The copy as bytes for the cache, and back; undefined if they are something else. */
export function packCopy({ lastModified, digest, lines }: CatalogdCopy): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ lastModified, digest })}\n`), lines]);
}

export function unpackCopy(bytes: Uint8Array): CatalogdCopy | undefined {
  const end = bytes.indexOf(NEWLINE);
  try {
    const head = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as Record<string, unknown>;
    const { lastModified, digest } = head;
    if (end < 0 || typeof lastModified !== "string" || typeof digest !== "string") return undefined;
    return { lastModified, digest, lines: bytes.subarray(end + 1) };
  } catch {
    return undefined;
  }
}
