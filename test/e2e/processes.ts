// How do the servers of a test start and end? As processes with a log each, and never without an end.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const READY_MS = 120_000;
const END_MS = 10_000;

/** A program to start. */
export interface Program {
  /** The name of its log, and in messages. */
  readonly name: string;
  readonly path: string;
  readonly flags: readonly string[];
  /** Its environment; that of the tests if it is not given. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Processes that share a folder. A guard ends them and removes the folder if this process dies without doing so. */
export class Processes {
  readonly #folder: string;
  readonly #running = new Map<string, ChildProcess>();
  readonly #guard: ChildProcess;

  constructor(folder: string) {
    this.#folder = folder;
    // In a group of its own: Ctrl-C ends the tests, not the guard.
    this.#guard = spawn(process.execPath, [resolve("test/e2e/guard.mjs"), folder], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    this.#guard.unref();
    this.#guard.stdin?.on("error", () => {});
  }

  start({ name, path, flags, environment }: Program): void {
    const log = openSync(this.#log(name), "a");
    const child = spawn(path, flags, { stdio: ["ignore", log, log], ...(environment && { env: environment }) });
    closeSync(log);
    child.on("error", () => {}); // it has no exit code then, and no id
    child.unref();
    this.#running.set(name, child);
    this.#guard.stdin?.write(`${JSON.stringify({ started: child.pid })}\n`);
  }

  /** Stops a process as it is, with SIGSTOP, or lets it go on. */
  signal(name: string, signal: "SIGSTOP" | "SIGCONT"): void {
    this.#running.get(name)?.kill(signal);
  }

  /** Waits until `isSo`; throws with the last lines of a log if a process ends. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + READY_MS;
    for (;;) {
      const isReady = await isSo();
      // Also if it is so: another process may have taken the port of one that has ended.
      for (const [name, child] of this.#running)
        if (child.pid === undefined || hasEnded(child))
          throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}:\n${this.#tail(name)}`);
      if (isReady) return;
      if (Date.now() > deadline)
        throw new Error(`after ${READY_MS / 1000} s it is not so that ${what}:\n${this.#tails()}`);
      await sleep(100);
    }
  }

  /** Ends all processes, the last one first, removes the folder, and lets the guard go. */
  async endAll(): Promise<void> {
    for (const name of [...this.#running.keys()].reverse()) await this.end(name);
    rmSync(this.#folder, { recursive: true, force: true });
    this.#guard.stdin?.end();
  }

  /** Ends a process, with SIGKILL as a crash does, else so that it can finish. */
  async end(name: string, signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const child = this.#running.get(name);
    this.#running.delete(name);
    if (child?.pid === undefined) return;
    if (!hasEnded(child)) {
      const ended = new Promise<void>((done) => child.once("exit", () => done()));
      child.ref();
      child.kill(signal);
      const killer = setTimeout(() => child.kill("SIGKILL"), END_MS);
      await ended;
      clearTimeout(killer);
    }
    this.#guard.stdin?.write(`${JSON.stringify({ ended: child.pid })}\n`);
  }

  #log(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  #tails(): string {
    return [...this.#running.keys()].map((name) => `${name}:\n${this.#tail(name)}`).join("\n");
  }

  /** What a process has written until now. */
  output(name: string): string {
    return readFileSync(this.#log(name), "utf8");
  }

  #tail(name: string): string {
    return this.output(name).split("\n").slice(-15).join("\n");
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Ports of 127.0.0.1 that are free when they are chosen; another process may still be faster. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((done, failed) => {
        server.once("error", failed).listen(0, "127.0.0.1", done);
      });
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

const ATTEMPTS = 3;

/** Starts servers once more if another process took one of their free ports in between. */
export async function withFreePorts<Started>(start: () => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === ATTEMPTS || !/address already in use/.test(String(error))) throw error;
    }
  }
}
