// How do processes do some work one at a time? By a lock that a dead process cannot keep. Uses nothing but Node.
//
// The lock is a directory with one file in it, whose name says who has it. It gets its name by a renaming, which fails
// while another such directory is not empty: so it comes with its owner, and only one process can have it. A file of a
// dead owner can be removed by any process, since no living owner has a file of that name.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const HOST = hostname().replace(/[^A-Za-z0-9.-]/g, "_");

/**
 * Waits until no other process has the lock `path`, and takes it. It is given back when this process ends. `staleMs` is
 * longer than the work can take: an older lock counts as left behind, since the id of its process may have been reused.
 * `waiting` prints that another process, given by its id, has the lock.
 */
export async function takeLock({ path, staleMs, waiting }) {
  const owner = `${process.pid}@${HOST}@${randomUUID()}`;
  const own = `${path}.${process.pid}`;
  process.on("exit", () => {
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(join(path, owner))) return;
    rmSync(join(path, owner), { force: true });
    removeIfEmpty(path);
  });
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  writeFileSync(join(own, owner), "");
  for (let isPrinted = false; !take(own, path); ) {
    const others = ownersOf(path);
    for (const one of others) if (isGone(join(path, one), one, staleMs)) rmSync(join(path, one), { force: true });
    if (removeIfEmpty(path)) continue;
    const [other] = others;
    if (other !== undefined && !isPrinted) {
      waiting(other.split("@")[0]);
      isPrinted = true;
    }
    await setTimeout(200);
  }
}

/** Gives the lock to this process, unless another has it. */
function take(own, path) {
  try {
    renameSync(own, path);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(error.code)) return false;
    throw error;
  }
}

function ownersOf(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** Whether an owner of the lock is dead, or as good as that. */
function isGone(file, owner, staleMs) {
  const [pid, host] = owner.split("@");
  try {
    if (Date.now() - statSync(file).mtimeMs > staleMs) return true;
    if (host !== HOST) return false;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH" || error.code === "ENOENT";
  }
}

function removeIfEmpty(path) {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return error.code === "ENOENT";
  }
}
