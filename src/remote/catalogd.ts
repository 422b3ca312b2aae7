// What does a catalogd serve? The whole catalog as JSON lines. A copy that is known already is only asked about: the server
// states when it was last modified, and has no other sign of a version.

import { createHash } from "node:crypto";
import { NetFailure } from "../net/failure.ts";
import type { Response } from "../net/transport.ts";
import { sizeText } from "../oci/size-text.ts";

/** A way to ask for one catalog: directly, or through the API server of a cluster. */
export interface CatalogdServer {
  /** For messages: `catalogd at https://…`. */
  readonly name: string;
  /** The URL of the catalog, without its secrets: it is printed. */
  readonly url: string;
  /** By which a known copy is found; it has no secret, either, as it is in the cache. */
  readonly key: string;
  /** How the catalog was read, for people. */
  readonly about: string;
  /** Sends a GET. Failures are `NetFailure`s; a status other than 200 and 304 is one of them. */
  request<Result>(
    headers: Readonly<Record<string, string>>,
    use: (response: Response) => Promise<Result>,
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

interface CatalogdReading {
  /** Is given how many bytes have come; another attempt begins again. */
  readonly onBytes: (bytes: number) => void;
  /** 1 GiB by default. */
  readonly maxBytes?: number;
}

/** Reads the catalog; a copy that is still valid is returned as it is. */
export async function readCatalogd(
  server: CatalogdServer,
  known: CatalogdCopy | undefined,
  reading: CatalogdReading,
): Promise<CatalogdCopy> {
  if (known === undefined || known.lastModified === "") return readAll(server, reading);
  const copy = await server.request({ "If-Modified-Since": known.lastModified }, async (response) => {
    if (response.status !== 304) return takeAll(server, response, reading);
    return isOf(known, response) ? known : undefined;
  });
  return copy ?? readAll(server, reading);
}

/**
 * Is a copy what the server has not modified? Behind one address can be another cluster than before, as with a forwarded port: it
 * says the same of all copies that are newer than its own catalog.
 */
function isOf({ lastModified }: CatalogdCopy, { headers }: Response): boolean {
  const stated = modifiedIn(headers);
  return stated === "" || stated === lastModified;
}

function modifiedIn(headers: Response["headers"]): string {
  const [modified = ""] = [headers["last-modified"]].flat();
  return modified;
}

function readAll(server: CatalogdServer, reading: CatalogdReading): Promise<CatalogdCopy> {
  return server.request({}, (response) => takeAll(server, response, reading));
}

async function takeAll(
  server: CatalogdServer,
  response: Response,
  { onBytes, maxBytes = MAX_BYTES }: CatalogdReading,
): Promise<CatalogdCopy> {
  if (response.status === 304) throw broken(server, "says that a catalog has not changed that it was not asked about");
  const pieces: Uint8Array[] = [];
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of response.body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw broken(server, `sends more than ${sizeText(maxBytes)}`);
    pieces.push(piece.slice());
    hash.update(piece);
    onBytes(bytes);
  }
  const lines = Buffer.concat(pieces);
  checkEnd(server, lines);
  return { lastModified: modifiedIn(response.headers), digest: `sha256:${hash.digest("hex")}`, lines };
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
