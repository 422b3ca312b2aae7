// What is known from earlier runs? Entries by kind and key, one file each, verified whenever they are read. The cache
// only saves time: if it cannot be read or written, one sentence says so, and everything is made anew.

import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { quoted } from "../text/words.ts";
import { cachePlace } from "./cache-directory.ts";
import { DISK, type Disk } from "./disk.ts";
import { contentOf, fileName, fileParts, type Header, readHeader, readOwnFile } from "./entry-file.ts";
import { takeLock, takeOver, waitFor } from "./lock-file.ts";
import { byKindAndUse, isOwnFolder, KIND, removeFiles, type StoredFile, storedFiles, surplus } from "./stored-files.ts";
import { causeOf, removeTrouble, writeTrouble } from "./trouble.ts";

/** An entry that was found and verified. */
export interface CacheHit {
  readonly payload: Uint8Array;
  /** For the user: what the payload was made from. */
  readonly about: string;
}

/** An entry that is to be kept: its kind, its key, and what its payload is made from. */
export type NewEntry = Omit<Header, "length">;

/** An entry as a list shows it. */
export interface CacheEntry extends StoredFile {
  /** Undefined if the file is damaged. */
  readonly about: string | undefined;
}

/** What is removed: everything, or the entries that were not used for longest, until the others have so many bytes. */
export interface Pruning {
  readonly all?: boolean;
  readonly maxBytes?: number;
}

export interface Cache {
  /** Undefined if there is no cache that may be used. */
  readonly directory: string | undefined;
  readonly maxBytes: number;
  /** The entry, verified and marked as used; undefined if there is none. A damaged one is removed. */
  get(kind: string, key: string): Promise<CacheHit | undefined>;
  /** Keeps an entry; instead of an earlier one, if there is one. Never fails; one whose key is too long is not kept. */
  put(entry: NewEntry, payload: Uint8Array): Promise<void>;
  /**
   * The payload of the entry, which is made if there is none. Of several processes that want it at the same time one
   * makes it, and the others wait for it. Fails only if `make` does, or with the reason of the signal.
   */
  once(entry: NewEntry, make: (signal: AbortSignal) => Promise<Uint8Array>, signal: AbortSignal): Promise<Uint8Array>;
  /** By kind, the most recently used ones first. */
  list(): Promise<readonly CacheEntry[]>;
  /** Removes entries, and what killed processes left behind; returns the entries that are removed. */
  prune(pruning?: Pruning): Promise<readonly CacheEntry[]>;
}

export interface CacheOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The home directory; empty if there is none. */
  readonly home: string;
  /** Instead of that of the environment. */
  readonly maxBytes?: number;
  /** Takes sentences for the user: what is wrong, where, and what to do. Each problem is reported once. */
  readonly onTrouble: (message: string) => void;
  /** Instead of that of Node. */
  readonly disk?: Disk;
}

/** The cache of this user. Nothing is written before the first entry. */
export function openCache(options: CacheOptions): Cache {
  const place = cachePlace(options.environment, options.home);
  for (const message of place.trouble) options.onTrouble(message);
  const maxBytes = options.maxBytes ?? place.maxBytes;
  return place.directory === undefined
    ? noCache(maxBytes)
    : fileCache(place.directory, maxBytes, options.onTrouble, options.disk ?? DISK);
}

function noCache(maxBytes: number): Cache {
  return {
    directory: undefined,
    maxBytes,
    get: async () => undefined,
    put: async () => {},
    once: async (_entry, make, signal) => make(signal),
    list: async () => [],
    prune: async () => [],
  };
}

/** Makes a directory and those above it. Node's own way reports a read-only file system as a directory that is missing. */
async function makeDirectories(disk: Disk, path: string): Promise<void> {
  const make = (): Promise<unknown> => disk.mkdir(path, { mode: 0o700 });
  try {
    await make();
  } catch (error) {
    const cause = causeOf(error);
    if (cause === "EEXIST") return;
    if (cause !== "ENOENT" || dirname(path) === path) throw error;
    await makeDirectories(disk, dirname(path));
    // Another process may have been faster.
    await make().catch((second) => {
      if (causeOf(second) !== "EEXIST") throw second;
    });
  }
}

/** Largest payload: Node reads no larger file at once. */
const MAX_PAYLOAD = 2 * 1024 ** 3 - 128 * 1024;

function fileCache(directory: string, maxBytes: number, onTrouble: (message: string) => void, disk: Disk): Cache {
  /** Whether anything can be written; after the first failure nothing more is tried. */
  let isWritable = true;
  const cannotWrite = (error: unknown): void => {
    const message = writeTrouble(directory, error);
    if (isWritable) onTrouble(message);
    isWritable = false;
  };
  const pathOf = (kind: string, key: string): string => {
    if (!KIND.test(kind)) throw new Error(`${kind} is not the name of a kind of entries`);
    return join(directory, kind, fileName(kind, key));
  };

  async function get(kind: string, key: string): Promise<CacheHit | undefined> {
    const path = pathOf(kind, key);
    if (!(await isOwnFolder(disk, join(directory, kind)))) return undefined;
    const bytes = await readOwnFile(disk, path, MAX_PAYLOAD);
    if (bytes === undefined) return undefined;
    const content = contentOf(bytes);
    if (content?.header.kind === kind && content.header.key === key)
      return { payload: content.payload, about: content.header.about };
    const isGone = await disk.unlink(path).then(
      () => true,
      () => false,
    );
    const help = isGone ? "it was removed, and is made again" : "remove it";
    onTrouble(`an entry of the cache is damaged and not used: ${quoted(path, 300)}; ${help}`);
    return undefined;
  }

  /** Makes the folder of a kind; false, after a report, if it cannot be used. */
  async function makeFolder(kind: string): Promise<boolean> {
    if (!isWritable) return false;
    const folder = join(directory, kind);
    try {
      await makeDirectories(disk, folder);
    } catch (error) {
      cannotWrite(error);
      return false;
    }
    if (await isOwnFolder(disk, folder)) return true;
    isWritable = false;
    onTrouble(
      `the cache is not used: ${quoted(folder, 300)} is not a directory of this user; remove it, or set PLIMSOLL_CACHE_DIR`,
    );
    return false;
  }

  async function put({ kind, key, about }: NewEntry, payload: Uint8Array): Promise<void> {
    const path = pathOf(kind, key);
    if (payload.length > Math.min(maxBytes, MAX_PAYLOAD)) {
      if (maxBytes > 0) tooLarge(payload.length, about);
      return;
    }
    const parts = fileParts({ kind, key, about }, payload);
    if (parts === undefined || !(await makeFolder(kind))) return;
    const unfinished = `${path}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`;
    try {
      await writeFile(unfinished, parts);
      await disk.rename(unfinished, path);
    } catch (error) {
      await disk.unlink(unfinished).catch(() => {});
      cannotWrite(error);
      return;
    }
    const { entries, left } = await storedFiles(disk, directory);
    await removeFiles(disk, [...left, ...surplus(entries, maxBytes)], () => {});
  }

  function tooLarge(bytes: number, about: string): void {
    const most = Math.min(maxBytes, MAX_PAYLOAD);
    const help = maxBytes < MAX_PAYLOAD ? "; set PLIMSOLL_CACHE_MAX_BYTES to a larger number" : "";
    onTrouble(`${quoted(about)} is not kept in the cache: it has ${bytes} bytes, and the limit is ${most}${help}`);
  }

  async function writeFile(path: string, parts: readonly Uint8Array[]): Promise<void> {
    const handle = await disk.open(path, "wx", 0o600);
    try {
      for (const part of parts) await handle.writeFile(part);
    } finally {
      await handle.close();
    }
  }

  const once: Cache["once"] = async (entry, make, signal) => {
    const { kind, key } = entry;
    const known = await get(kind, key);
    if (known !== undefined) return known.payload;
    const lockPath = `${pathOf(kind, key)}.lock`;
    const isKept = maxBytes > 0 && (await makeFolder(kind));
    let lock = isKept ? await takeLock(disk, lockPath) : "unavailable";
    while (lock === "taken") {
      const end = await waitFor(disk, lockPath, signal);
      const made = await get(kind, key);
      if (made !== undefined) return made.payload;
      // The other process has failed, or could not write. Everyone who waited tries now: in turn it would take longer.
      lock = end === "released" ? "unavailable" : await takeOver(disk, lockPath, end);
    }
    try {
      // It may have been made between the first look and the lock.
      const made = lock === "unavailable" ? undefined : await get(kind, key);
      if (made !== undefined) return made.payload;
      signal.throwIfAborted();
      const payload = await make(signal);
      await put(entry, payload);
      return payload;
    } finally {
      if (lock !== "unavailable") await lock.release();
    }
  };

  async function list(): Promise<readonly CacheEntry[]> {
    const { entries } = await storedFiles(disk, directory);
    return withAbout(entries.toSorted(byKindAndUse));
  }

  async function prune({ all = false, maxBytes: limit = maxBytes }: Pruning = {}): Promise<readonly CacheEntry[]> {
    const { entries, left } = await storedFiles(disk, directory);
    const gone = await withAbout(all ? entries.toSorted(byKindAndUse) : surplus(entries, limit));
    await removeFiles(disk, left, () => {});
    let isReported = false;
    return removeFiles(disk, gone, (error) => {
      if (!isReported) onTrouble(removeTrouble(directory, error));
      isReported = true;
    });
  }

  async function withAbout(files: readonly StoredFile[]): Promise<readonly CacheEntry[]> {
    const entries: CacheEntry[] = [];
    for (const file of files) entries.push({ ...file, about: (await readHeader(disk, file.file))?.about });
    return entries;
  }

  return { directory, maxBytes, get, put, once, list, prune };
}
