// What does the cache ask of a file system? Few functions, so that tests can let any of them fail.

import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, unlink } from "node:fs/promises";

export interface Disk {
  readonly lstat: typeof lstat;
  readonly mkdir: typeof mkdir;
  readonly open: typeof open;
  readonly readdir: typeof readdir;
  readonly rename: typeof rename;
  readonly unlink: typeof unlink;
}

export const DISK: Disk = { lstat, mkdir, open, readdir, rename, unlink };

/** Flags for reading: no symbolic link is followed, and a named pipe does not block. */
export const READ: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
