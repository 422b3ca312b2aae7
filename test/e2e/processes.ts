// How do the servers of a test start and end? As processes with a log each, and never without an end.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const READY_MS = 120_000;
const END_MS = 10_000;

/** The processes of a cluster. A guard ends them if this process dies without doing so. */
export class Processes {
  readonly #servers: string;
  readonly #folder: string;
  readonly #running = new Map<string, ChildProcess>();
  readonly #guard: ChildProcess;

  constructor(servers: string, folder: string) {
    this.#servers = servers;
    this.#folder = folder;
    // In a group of its own: Ctrl-C ends the tests, not the guard.
    this.#guard = spawn(process.execPath, [resolve("test/e2e/guard.mjs"), folder], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    this.#guard.unref();
    this.#guard.stdin?.on("error", () => {});
  }

  start(name: string, flags: readonly string[]): void {
    const log = openSync(this.#log(name), "a");
    const child = spawn(join(this.#servers, name), flags, { stdio: ["ignore", log, log] });
    closeSync(log);
    child.on("error", () => {}); // it has no exit code then, and no id
    child.unref();
    this.#running.set(name, child);
    this.#guard.stdin?.write(`${JSON.stringify({ started: child.pid })}\n`);
  }

  /** Waits until `isSo`; throws with the last lines of a log if a process ends. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + READY_MS;
    while (!(await isSo())) {
      for (const [name, child] of this.#running)
        if (child.pid === undefined || hasEnded(child))
          throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}:\n${this.#tail(name)}`);
      if (Date.now() > deadline)
        throw new Error(`after ${READY_MS / 1000} s it is not so that ${what}:\n${this.#tail("kube-apiserver")}`);
      await sleep(100);
    }
  }

  async end(name: string): Promise<void> {
    const child = this.#running.get(name);
    this.#running.delete(name);
    if (child?.pid === undefined) return;
    if (!hasEnded(child)) {
      const ended = new Promise<void>((done) => child.once("exit", () => done()));
      child.ref();
      child.kill("SIGTERM");
      const killer = setTimeout(() => child.kill("SIGKILL"), END_MS);
      await ended;
      clearTimeout(killer);
    }
    this.#guard.stdin?.write(`${JSON.stringify({ ended: child.pid })}\n`);
  }

  /** Lets the guard go; there is nothing left for it. */
  close(): void {
    this.#guard.stdin?.end();
  }

  #log(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  #tail(name: string): string {
    return readFileSync(this.#log(name), "utf8").split("\n").slice(-15).join("\n");
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
