// How does a test run a controller? As a process of its own, whose log it reads: it waits for what the controller says, stops
// it, kills it, freezes it, and runs two of them.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { JsonObject } from "../../../src/model/json.ts";
import { COMMAND } from "../command.ts";
import { writeKubeconfig } from "../kubeconfig.ts";
import type { Controller } from "../manifests.ts";

/** A line of the log. */
export interface LogLine extends JsonObject {
  readonly level: string;
  readonly message: string;
}

/** The servers of a controller. */
export type ServerName = "health" | "metrics" | "debug";

/** How a controller ended. */
export interface Ended {
  /** Undefined if a signal ended it. */
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  /** From the signal that was asked for until its end. */
  readonly ms: number;
}

/** A running controller. */
export interface ControllerProcess {
  /** All lines of its log until now. */
  readonly log: readonly LogLine[];
  /** What it wrote that is not a line of the log; there should be nothing. */
  readonly stray: readonly string[];
  /** The address of a server, HOST:PORT. */
  address(server: ServerName): string;
  /** Asks a server in plain HTTP. */
  ask(server: ServerName, path: string, options?: RequestInit): Promise<Response>;
  /** Resolves with the first line that matches, from the beginning or from a length of the log; rejects if it ends before. */
  says(isIt: string | ((line: LogLine) => boolean), from?: number): Promise<LogLine>;
  /** How it has ended, by itself or by a signal. */
  readonly ended: Promise<Omit<Ended, "ms">>;
  /** Lets it end properly. */
  stop(): Promise<Ended>;
  kill(signal?: NodeJS.Signals): Promise<Ended>;
  /** It gets no time any more, as if the machine were asleep. */
  freeze(): void;
  resume(): void;
}

/** What a test wants of a controller. */
export interface ControllerOptions {
  /** The API server, or a proxy in front of it. */
  readonly server: string;
  readonly token: string;
  readonly namespace: string;
  readonly leaseName: string;
  /** By default that of placement. */
  readonly controller?: Controller;
  readonly identity?: string;
  /** Further flags, each with its value; they win over those that are always given, and a later one over an earlier one. */
  readonly flags?: readonly string[];
  /** Another program in its place, to test this file. */
  readonly program?: string;
}

/** Those that each controller has. */
const SERVERS: Readonly<Record<Controller, readonly ServerName[]>> = {
  placement: ["health", "metrics", "debug"],
  resolution: ["health", "metrics"],
};
const SAYS_MS = 60_000;

/** Starts a controller, and waits until its servers listen. */
export async function startController(options: ControllerOptions): Promise<ControllerProcess> {
  const { program = COMMAND, controller = "placement" } = options;
  const servers = SERVERS[controller];
  if (!existsSync(program)) throw new Error("the command is not built; run npm run test:e2e");
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-controller-"));
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [program, ...argumentsOf(folder, options)], {
    env: { PATH, HOME: folder, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const guard = guardOf(child, folder);
  const log: LogLine[] = [];
  const stray: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => stray.push(line));
  createInterface({ input: child.stderr }).on("line", (line) => {
    const read = logLine(line);
    if (read === undefined) stray.push(line);
    else log.push(read);
    for (const look of waiting) look();
  });
  const ended = new Promise<Omit<Ended, "ms">>((done, failed) => {
    child.on("error", failed);
    child.on("close", (code, signal) => {
      guard.stdin?.end(`${JSON.stringify({ ended: child.pid })}\n`);
      done({ code: code ?? undefined, signal: signal ?? undefined });
    });
  });
  const tail = (): string => [...log.slice(-20).map((line) => JSON.stringify(line)), ...stray.slice(-20)].join("\n");
  const says = (isIt: string | ((line: LogLine) => boolean), from = 0): Promise<LogLine> =>
    new Promise((done, failed) => {
      const matches = typeof isIt === "string" ? ({ message }: LogLine) => message === isIt : isIt;
      const end = (act: () => void): void => {
        waiting.delete(look);
        clearTimeout(timer);
        act();
      };
      const look = (): void => {
        const found = log.slice(from).find(matches);
        if (found !== undefined) end(() => done(found));
      };
      const timer = setTimeout(() => end(() => failed(new Error(`it does not say ${isIt}:\n${tail()}`))), SAYS_MS);
      waiting.add(look);
      look();
      ended.then(
        ({ code }) => end(() => failed(new Error(`it ended with ${code} without saying ${isIt}:\n${tail()}`))),
        (error: Error) => end(() => failed(error)),
      );
    });
  const kill = async (signal: NodeJS.Signals = "SIGKILL"): Promise<Ended> => {
    const asked = performance.now();
    child.kill(signal);
    return { ...(await ended), ms: performance.now() - asked };
  };
  const lines = await Promise.all(
    servers.map((name) => says(({ message, server }) => message === "listening" && server === name)),
  );
  const addresses = Object.fromEntries(servers.map((name, at) => [name, `${lines[at]?.address}`]));
  const address = (server: ServerName): string => addresses[server] as string;
  return {
    ...{ log, stray, address, says, kill, ended },
    ask: (server, path, request) => fetch(`http://${address(server)}${path}`, request),
    stop: () => kill("SIGTERM"),
    freeze: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
  };
}

function argumentsOf(folder: string, options: ControllerOptions): readonly string[] {
  const { server, token, namespace, leaseName, controller = "placement", identity, flags = [] } = options;
  const kubeconfig = writeKubeconfig(folder, { server, name: "controller", user: { token } });
  const fixed = {
    controllers: controller,
    ...{ kubeconfig, namespace, "lease-name": leaseName },
    ...{ "health-address": "127.0.0.1:0", "metrics-address": "127.0.0.1:0", "debug-address": "127.0.0.1:0" },
    ...{ "lease-duration": "15s", "renew-deadline": "10s", "retry-period": "2s" },
    ...(identity !== undefined && { identity }),
  };
  const given = new Map(Object.entries(fixed).map(([name, value]) => [`--${name}`, value]));
  for (let at = 0; at < flags.length; at += 2) given.set(flags[at] as string, flags[at + 1] as string);
  return ["controller", ...[...given].flat()];
}

/** Ends the controller and removes its folder if the tests die. */
function guardOf(child: ChildProcess, folder: string): ChildProcess {
  const guard = spawn(process.execPath, [resolve("test/e2e/guard.mjs"), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  guard.stdin?.on("error", () => {});
  guard.stdin?.write(`${JSON.stringify({ started: child.pid })}\n`);
  return guard;
}

function logLine(line: string): LogLine | undefined {
  try {
    const read = JSON.parse(line) as LogLine;
    return typeof read.message === "string" ? read : undefined;
  } catch {
    return undefined;
  }
}
