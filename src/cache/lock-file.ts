// Which process makes an entry? The one that has made its lock file. The lock is advice, never needed for a correct
// entry: if two processes believe that they have it, the entry is made twice, and both files are whole.

import type { FileHandle } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { type Disk, READ } from "./disk.ts";
import { causeOf } from "./trouble.ts";

/** Milliseconds between two signs of life of the process that has a lock. */
const HEARTBEAT = 1000;
/** A lock without a sign of life for so long, while it was watched, has no process. Parsing may block one for seconds. */
const SILENCE = 15_000;
/** A lock that is older when it is first seen has no process, either: one that was left behind is not watched. */
const MAX_AGE = 60_000;
/** Milliseconds between two looks at a lock: the first pause, and the longest. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 200;

/** A lock that this process has. */
export interface Lock {
  release(): Promise<void>;
}

/** Makes a lock file. `taken`: another process has it; `unavailable`: no file can be made here. */
export async function takeLock(disk: Disk, path: string): Promise<Lock | "taken" | "unavailable"> {
  try {
    return await ownLock(disk, path, await disk.open(path, "wx", 0o600));
  } catch (error) {
    const code = causeOf(error);
    if (code === undefined) throw error;
    return code === "EEXIST" ? "taken" : "unavailable";
  }
}

/**
 * Replaces an abandoned lock. Of several processes that try it one succeeds: the one that makes a file named after this
 * very lock, which then becomes the new lock. It never disappears in between, so that the others go on waiting.
 */
export async function takeOver(disk: Disk, path: string, { life }: Abandoned): Promise<Lock | "taken" | "unavailable"> {
  const claim = `${path}.${life}`;
  try {
    const handle = await disk.open(claim, "wx", 0o600);
    if ((await stateOf(disk, path))?.life === life) {
      await disk.rename(claim, path);
      return await ownLock(disk, path, handle);
    }
    await handle.close();
    await disk.unlink(claim);
    return "taken";
  } catch (error) {
    const code = causeOf(error);
    if (code === undefined) throw error;
    if (code !== "EEXIST") return "unavailable";
    await removeOldClaim(disk, claim);
    return "taken";
  }
}

/** Removes a claim whose process was killed, too; otherwise leaves it a moment. */
async function removeOldClaim(disk: Disk, claim: string): Promise<void> {
  const stats = await disk.lstat(claim).catch(() => undefined);
  if (stats !== undefined && Date.now() - stats.mtimeMs > SILENCE) await disk.unlink(claim).catch(() => {});
  else await pause(FIRST_PAUSE);
}

async function ownLock(disk: Disk, path: string, handle: FileHandle): Promise<Lock> {
  const { ino } = await handle.stat();
  // A full disk leaves it empty: then only the signs of life count.
  await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() })).catch(() => {});
  const beat = (): void => {
    const now = new Date();
    handle.utimes(now, now).catch(() => {});
  };
  const timer = setInterval(beat, HEARTBEAT);
  timer.unref();
  return {
    release: async () => {
      clearInterval(timer);
      await handle.close();
      // It may have been taken over, for example after the machine had slept.
      const isOurs = await disk.lstat(path).then(
        (stats) => stats.ino === ino,
        () => false,
      );
      if (isOurs) await disk.unlink(path).catch(() => {});
    },
  };
}

/** A lock whose process is gone. */
export interface Abandoned {
  /** Which lock it is, and when it last was touched: changes with every sign of life. */
  readonly life: string;
}

/** Waits for the process that has a lock: until it releases the lock, or is gone itself. */
export async function waitFor(disk: Disk, path: string, signal: AbortSignal): Promise<"released" | Abandoned> {
  let seen: { readonly life: string; readonly since: number } | undefined;
  for (let rest = FIRST_PAUSE; ; rest = Math.min(rest * 2, LONGEST_PAUSE)) {
    signal.throwIfAborted();
    const now = performance.now();
    const state = await stateOf(disk, path);
    if (state === undefined) return "released";
    if (state.isDead || (seen === undefined && state.age > MAX_AGE)) return state;
    if (seen?.life !== state.life) seen = { life: state.life, since: now };
    else if (now - seen.since > SILENCE) return state;
    // The loop begins with the reason of the signal.
    await pause(rest, undefined, { signal }).catch(() => {});
  }
}

interface LockState extends Abandoned {
  /** Milliseconds since the last sign of life, by the clock of the file system. */
  readonly age: number;
  /** It was made on this machine, by a process that has ended. */
  readonly isDead: boolean;
}

/** What is known about the process that has a lock; undefined if the lock is gone. */
async function stateOf(disk: Disk, path: string): Promise<LockState | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await disk.open(path, READ);
    const { ino, mtimeMs } = await handle.stat();
    const bytes = Buffer.alloc(1024);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    const age = Date.now() - mtimeMs;
    return { life: `${ino}-${Math.floor(mtimeMs * 1000)}`, age, isDead: isDead(bytes.toString("utf8", 0, bytesRead)) };
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

function isDead(text: string): boolean {
  try {
    const { pid, host } = JSON.parse(text) as { readonly pid: unknown; readonly host: unknown };
    if (host !== hostname() || typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return causeOf(error) === "ESRCH";
  }
}
