// Which files does a layout have? Those of a directory, or those of an archive (archive-files.ts).

import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { cancelled, NetFailure } from "../net/failure.ts";
import { fileReason } from "../net/file-text.ts";
import { withoutUrlSecrets } from "../text/url-secrets.ts";
import { quoted } from "../text/words.ts";

export interface StoredFiles {
  /** For messages: `the layout DIR`, `the archive FILE`. */
  readonly name: string;
  /** The file at a path, which is written with slashes and does not leave the directory; undefined if there is none. */
  find(path: string): Promise<StoredFile | undefined>;
}

export interface StoredFile {
  readonly size: number;
  /** A chunk is valid until the next. */
  chunks(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

const CHUNK = 256 * 1024;
/** A named pipe without a writer would block uninterruptibly. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const ABSENT = ["ENOENT", "ENOTDIR"];

/** The files of a directory. Links that lead out of it are refused. */
export async function directoryFiles(directory: string): Promise<StoredFiles> {
  const name = `the layout ${quoted(withoutUrlSecrets(directory))}`;
  const root = await realpath(directory).catch((error) => {
    throw unreadable(name, error, "check the path: it names the directory of an OCI layout");
  });
  return {
    name,
    find: async (path) => {
      try {
        const real = await realpath(join(root, path));
        const inside = relative(root, real);
        if (inside === ".." || inside.startsWith(`..${sep}`) || join(root, inside) !== real)
          throw new NetFailure("malformed", `${name} contains a link that leads out of it: ${quoted(path)}`, {
            help: "copy the image into a directory without links",
          });
        const stats = await stat(real);
        if (!stats.isFile())
          throw new NetFailure("malformed", `${name} contains something that is not a file: ${quoted(path)}`, {
            help: "copy the image into the directory again",
          });
        return { size: stats.size, chunks: (signal) => fileRange(real, 0, stats.size, signal) };
      } catch (error) {
        if (ABSENT.includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
        throw unreadable(`${quoted(path)} of ${name}`, error, "check the permissions of the file");
      }
    },
  };
}

/** Bytes of a file, from a position. Fewer if the file is shorter. */
export async function* fileRange(
  path: string,
  start: number,
  length: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const handle = await open(path, READ).catch((error) => {
    throw unreadable(quoted(path), error, "check the permissions of the file");
  });
  try {
    const buffer = new Uint8Array(Math.min(CHUNK, Math.max(length, 1)));
    const end = start + length;
    for (let position = start; position < end; ) {
      if (signal.aborted) throw cancelled();
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - position), position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The failure for an error of the file system. */
export function unreadable(what: string, error: unknown, help: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof NetFailure) return error;
  const kind = ABSENT.includes(code) ? "not-found" : "config";
  return new NetFailure(kind, `${what} cannot be read: ${fileReason(code)}`, { help });
}
