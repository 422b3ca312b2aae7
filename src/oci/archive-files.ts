// Which files does an archive have? Its tar is read once, for the places of the files; then ranges of it are read. An archive that
// is compressed with gzip has no ranges: it is decompressed again for each large file, and small files are kept in memory.

import { stat } from "node:fs/promises";
import { NetFailure } from "../net/failure.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import { quoted } from "../text/words.ts";
import { compressionOf, decompressed } from "./decompress.ts";
import { imagePath, joined, splitPath } from "./image-path.ts";
import { fileRange, type StoredFile, type StoredFiles, unreadable } from "./stored-files.ts";
import { type TarEntry, type TarLimits, tarEntries } from "./tar.ts";

const LIMITS: TarLimits = { entries: 20_000, bytes: 64 * 1024 ** 3 };
const MAX_SMALL = 1024 * 1024;
const MAX_KEPT = 32 * 1024 * 1024;
/** Old archives of Docker have links to layers. */
const MAX_LINKS = 10;

type Member =
  | { readonly kind: "file"; readonly offset: number; readonly size: number; readonly kept: Uint8Array | undefined }
  | { readonly kind: "link"; readonly target: string };

/** Reads the whole archive once. */
export async function archiveFiles(path: string, signal: AbortSignal): Promise<StoredFiles> {
  const name = `the archive ${quoted(withoutUrlSecrets(path))}`;
  const { size, isGzip } = await requireArchive(path, name, signal);
  const all = (reading: AbortSignal): AsyncGenerator<Uint8Array> => fileRange(path, 0, size, reading);
  const members = new Map<string, Member>();
  let room = isGzip ? MAX_KEPT : 0;
  for await (const entry of tarEntries(decompressed(all(signal), name), name, LIMITS, signal)) {
    const at = imagePath(entry.path);
    if (at === undefined) throw leavesArchive(name, entry.path);
    const isKept = entry.type === "file" && entry.size <= Math.min(MAX_SMALL, room);
    if (isKept) room -= entry.size;
    const member = await memberOf(entry, at, isKept);
    if (member !== undefined) members.set(at, member);
  }
  const content = async function* (file: Member & { kind: "file" }, reading: AbortSignal): AsyncGenerator<Uint8Array> {
    if (file.kept !== undefined) yield file.kept;
    else if (!isGzip) yield* fileRange(path, file.offset, file.size, reading);
    else yield* portion(decompressed(all(reading), name), file.offset, file.size);
  };
  return { name, find: async (wanted) => found(members, wanted, content) };
}

function found(
  members: ReadonlyMap<string, Member>,
  wanted: string,
  content: (file: Member & { kind: "file" }, signal: AbortSignal) => AsyncIterable<Uint8Array>,
): StoredFile | undefined {
  let at = imagePath(wanted);
  for (let links = 0; at !== undefined && links <= MAX_LINKS; links++) {
    const member = members.get(at);
    if (member === undefined) return undefined;
    if (member.kind === "file") return { size: member.size, chunks: (signal) => content(member, signal) };
    at = imagePath(member.target);
  }
  return undefined;
}

async function memberOf(entry: TarEntry, at: string, isKept: boolean): Promise<Member | undefined> {
  const { type, offset, size, link = "" } = entry;
  if (type === "link") return { kind: "link", target: link };
  if (type === "symlink") return { kind: "link", target: joined(splitPath(at).directory, link) };
  if (type !== "file") return undefined;
  if (!isKept) return { kind: "file", offset, size, kept: undefined };
  const parts: Uint8Array[] = [];
  for await (const piece of entry.content()) parts.push(piece.slice());
  return { kind: "file", offset, size, kept: Buffer.concat(parts) };
}

/** Some of the bytes of a stream, which is not read further. */
async function* portion(chunks: AsyncIterable<Uint8Array>, offset: number, size: number): AsyncGenerator<Uint8Array> {
  let position = 0;
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, offset - position), Math.max(0, offset + size - position));
    position += chunk.length;
    if (part.length > 0) yield part;
    if (position >= offset + size) return;
  }
}

async function requireArchive(
  path: string,
  name: string,
  signal: AbortSignal,
): Promise<{ readonly size: number; readonly isGzip: boolean }> {
  const stats = await stat(path).catch((error) => {
    throw unreadable(name, error, "check the path: it names a file that `docker save` or `skopeo copy` made");
  });
  if (stats.isDirectory())
    throw new NetFailure("config", `${name} is a directory`, {
      help: "name the directory of an OCI layout as oci-layout:DIR",
    });
  if (!stats.isFile())
    throw new NetFailure("config", `${name} is not a file`, { help: "save the archive to a file first" });
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of fileRange(path, 0, 8, signal)) head = Buffer.concat([head, chunk]);
  const compression = compressionOf(head);
  if (compression !== undefined && compression !== "gzip")
    throw new NetFailure("malformed", `${name} is compressed with ${compression}, which Plimsoll does not read`, {
      help: `decompress the file with ${compression} first`,
    });
  return { size: stats.size, isGzip: compression === "gzip" };
}

function leavesArchive(name: string, path: string): NetFailure {
  return new NetFailure("malformed", `${name} has a path that leaves it: ${quoted(path)}`, {
    help: "save the image again; do not use an archive from an unknown origin",
  });
}
