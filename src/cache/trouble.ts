// What went wrong with the cache, and what can the user do? The cache only saves time, so that every failure of the
// file system becomes a sentence, and the command goes on without the cache.

import { quoted } from "../text/words.ts";

/** Why a file system refuses; undefined if the error is not one of a file system. */
export function causeOf(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return typeof code === "string" && typeof syscall === "string" ? code : undefined;
}

/** What is said if nothing can be written to the cache. An error that is not one of the file system is thrown. */
export function writeTrouble(directory: string, error: unknown): string {
  const reason = reasonAndHelp(codeOf(error));
  return `the cache ${quoted(directory, 300)} cannot be written, so that nothing more is kept: ${reason}`;
}

/** What is said if entries cannot be removed. */
export function removeTrouble(directory: string, error: unknown): string {
  const code = codeOf(error);
  const reason = code === "EROFS" ? "the file system is read-only" : code === "EACCES" ? "permission denied" : code;
  return `entries of the cache ${quoted(directory, 300)} cannot be removed: ${reason}; check the permissions of its directories`;
}

function codeOf(error: unknown): string {
  const code = causeOf(error);
  if (code === undefined) throw error;
  return code;
}

const ELSEWHERE = "set PLIMSOLL_CACHE_DIR to another directory";

function reasonAndHelp(code: string): string {
  switch (code) {
    case "ENOSPC":
      return `the disk is full; make room, for example with \`plimsoll cache prune --all\`, or ${ELSEWHERE}`;
    case "EDQUOT":
      return `the disk quota is used up; make room, for example with \`plimsoll cache prune --all\`, or ${ELSEWHERE}`;
    case "EROFS":
      return `the file system is read-only; ${ELSEWHERE}`;
    case "EACCES":
    case "EPERM":
      return `permission denied; ${ELSEWHERE}`;
    case "ENOTDIR":
    case "EEXIST":
    case "ELOOP":
      return `a part of the path is not a directory; ${ELSEWHERE}`;
    case "ENOENT":
      return `a directory of the path cannot be made; ${ELSEWHERE}`;
    default:
      return `${code}; ${ELSEWHERE}`;
  }
}
