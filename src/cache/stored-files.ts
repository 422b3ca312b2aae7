// Which files does the cache have, and which of them go? Those of entries that were not used for longest, and what
// killed processes left behind. A file that is not named as the cache names its own is never touched.

import { join } from "node:path";
import { isOwn } from "./cache-directory.ts";
import type { Disk } from "./disk.ts";
import { causeOf } from "./trouble.ts";

/** The name of a kind, which is that of its folder. */
export const KIND: RegExp = /^[a-z][a-z0-9-]{0,30}$/;
const ENTRY = /^[0-9a-f]{64}$/;
/** A file that is being written, and a lock. */
const UNFINISHED = /^[0-9a-f]{64}\.[0-9a-z.-]{1,60}$/;
/** Milliseconds after which no process works on an unfinished file any more. */
const LEFT_BEHIND = 60 * 60_000;

/** The file of an entry. */
export interface StoredFile {
  readonly kind: string;
  readonly file: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** All files of the cache: those of entries, and those that killed processes left behind. */
export async function storedFiles(
  disk: Disk,
  directory: string,
): Promise<{ readonly entries: readonly StoredFile[]; readonly left: readonly StoredFile[] }> {
  const entries: StoredFile[] = [];
  const left: StoredFile[] = [];
  for (const kind of (await namesIn(disk, directory)).filter((name) => KIND.test(name))) {
    const folder = join(directory, kind);
    if (!(await isOwnFolder(disk, folder))) continue;
    for (const name of await namesIn(disk, folder)) {
      const isEntry = ENTRY.test(name);
      if (!isEntry && !UNFINISHED.test(name)) continue;
      const file = join(folder, name);
      const stats = await disk.lstat(file).catch(() => undefined);
      if (stats === undefined || !stats.isFile() || !isOwn(stats)) continue;
      const stored = { kind, file, bytes: stats.size, usedAt: Math.floor(stats.mtimeMs) };
      if (isEntry) entries.push(stored);
      else if (Date.now() - stats.mtimeMs > LEFT_BEHIND) left.push(stored);
    }
  }
  return { entries, left };
}

/** Is it a directory of this user, and not a link to one? */
export async function isOwnFolder(disk: Disk, folder: string): Promise<boolean> {
  const stats = await disk.lstat(folder).catch(() => undefined);
  return stats?.isDirectory() === true && isOwn(stats);
}

async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  return disk.readdir(folder).catch(() => []);
}

/** Removes files, and returns those that are gone. A process that reads one of them still reads all of it. */
export async function removeFiles<File extends StoredFile>(
  disk: Disk,
  files: readonly File[],
  onFailure: (error: unknown) => void,
): Promise<readonly File[]> {
  const gone: File[] = [];
  for (const file of files) {
    try {
      await disk.unlink(file.file);
      gone.push(file);
    } catch (error) {
      // Another process was faster.
      if (causeOf(error) !== "ENOENT") onFailure(error);
    }
  }
  return gone;
}

/** The order of a list: by kind, the most recently used ones first. */
export function byKindAndUse(a: StoredFile, b: StoredFile): number {
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return b.usedAt - a.usedAt || byName(a, b);
}

function byName(a: StoredFile, b: StoredFile): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : 0;
}

/** The entries that have to go, so that the others have at most so many bytes: least recently used first. */
export function surplus(entries: readonly StoredFile[], maxBytes: number): readonly StoredFile[] {
  const oldest = entries.toSorted((a, b) => a.usedAt - b.usedAt || byName(a, b));
  let bytes = oldest.reduce((sum, entry) => sum + entry.bytes, 0);
  const gone: StoredFile[] = [];
  for (const entry of oldest) {
    if (bytes <= maxBytes) break;
    gone.push(entry);
    bytes -= entry.bytes;
  }
  return gone;
}
