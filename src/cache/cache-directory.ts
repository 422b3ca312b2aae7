// Where is the cache, how large may it be, and may it be used? It holds catalogs that answers are made from, so that
// a directory in which other users can exchange files is not used.

import { lstatSync, type Stats } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { quoted } from "../text/words.ts";
import { causeOf } from "./trouble.ts";

/** 2 GiB. */
export const DEFAULT_MAX_BYTES: number = 2 * 1024 ** 3;

/** What the environment says about the cache. */
export interface CachePlace {
  /** Undefined if there is none that may be used; `trouble` says why. */
  readonly directory: string | undefined;
  readonly maxBytes: number;
  /** What is wrong, and what to do about it. */
  readonly trouble: readonly string[];
}

/** The cache of an environment; `home` is the home directory, empty if there is none. */
export function cachePlace(environment: NodeJS.ProcessEnv, home: string): CachePlace {
  const { bytes, trouble } = sizeOf(environment.PLIMSOLL_CACHE_MAX_BYTES);
  const directory = directoryOf(environment, home);
  const why =
    directory === undefined
      ? "there is no home directory for the cache, so that nothing is kept; set PLIMSOLL_CACHE_DIR to a directory"
      : whyNotUsed(directory);
  return {
    directory: why === undefined ? directory : undefined,
    maxBytes: bytes,
    trouble: [...trouble, ...(why === undefined ? [] : [why])],
  };
}

function sizeOf(text = ""): { readonly bytes: number; readonly trouble: readonly string[] } {
  if (text === "") return { bytes: DEFAULT_MAX_BYTES, trouble: [] };
  if (/^\d{1,15}$/.test(text)) return { bytes: Number(text), trouble: [] };
  const message = `PLIMSOLL_CACHE_MAX_BYTES must be a number of bytes, but is ${quoted(text)}; the cache may have 2 GiB`;
  return { bytes: DEFAULT_MAX_BYTES, trouble: [message] };
}

/** `PLIMSOLL_CACHE_DIR`, or `plimsoll` in `XDG_CACHE_HOME` or in `.cache` of the home directory. */
function directoryOf(environment: NodeJS.ProcessEnv, home: string): string | undefined {
  // resolve() removes a slash at the end, with which a symbolic link would be followed.
  if (environment.PLIMSOLL_CACHE_DIR) return resolve(environment.PLIMSOLL_CACHE_DIR);
  const shared = environment.XDG_CACHE_HOME;
  // The specification of XDG: a relative path is ignored.
  if (shared && isAbsolute(shared)) return join(shared, "plimsoll");
  return home === "" ? undefined : join(home, ".cache", "plimsoll");
}

const ELSEWHERE = "set PLIMSOLL_CACHE_DIR to a directory of your own";

/** Why a directory is not used; undefined if it may be, or does not exist. */
function whyNotUsed(directory: string): string | undefined {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(directory, { throwIfNoEntry: false });
  } catch (error) {
    // A regular file is where a parent directory should be: writing reports it, reading finds nothing.
    if (causeOf(error) === undefined) throw error;
  }
  if (stats === undefined) return undefined;
  const refused = `the cache ${quoted(directory, 300)} is not used`;
  if (stats.isSymbolicLink()) return `${refused}: it is a symbolic link; ${ELSEWHERE}, such as the target of the link`;
  if (!stats.isDirectory()) return `${refused}: it is not a directory; remove it, or ${ELSEWHERE}`;
  if (!isOwn(stats) && isOpenToAll(stats))
    return `${refused}: it belongs to another user, and all users can change it; ${ELSEWHERE}`;
  return undefined;
}

/** Can all users remove and rename what is in a directory? */
function isOpenToAll({ mode }: Stats): boolean {
  const [WRITABLE, STICKY] = [0o002, 0o1000];
  return (mode & WRITABLE) !== 0 && (mode & STICKY) === 0;
}

/** Does a file belong to the user of this process? Where there are no users, every file does. */
export function isOwn({ uid }: { readonly uid: number }): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}
