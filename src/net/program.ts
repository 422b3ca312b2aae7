// What does a program print? It is run within limits of time and output, and ends with this process.

import { type ChildProcess, spawn } from "node:child_process";
import { cancelled } from "./failure.ts";

export interface Program {
  /** A path, or a name that is looked up in the PATH of the environment. */
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** What it reads; without it nothing, or the terminal. */
  readonly input?: string;
  /** May it use the terminal? Then its errors are seen there, and are not in the result. */
  readonly isInteractive?: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

/** How it ended. */
export type Ending =
  | {
      readonly end: "exited";
      /** Null if a signal ended it. */
      readonly code: number | null;
      readonly killedBy: NodeJS.Signals | null;
      readonly output: string;
      readonly errors: string;
    }
  | { readonly end: "not-started"; readonly code: string | undefined }
  | { readonly end: "too-slow" }
  /** It printed more than 1 MiB. */
  | { readonly end: "too-much" };

const MAX_OUTPUT = 1024 * 1024;
const MAX_ERRORS = 8 * 1024;

/** Signals that end a process without its `exit` event. */
const DEADLY_SIGNALS: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP"];

/** Rejects only if it is cancelled. */
export function run(program: Program): Promise<Ending> {
  const { signal, timeout, input, isInteractive = false } = program;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(cancelled());
      return;
    }
    let child: ChildProcess;
    try {
      child = started(program);
    } catch (error) {
      // Node's own message quotes the arguments.
      resolve({ end: "not-started", code: (error as NodeJS.ErrnoException).code });
      return;
    }
    let output = "";
    let errors = "";
    // Whatever ends this process: the program is in another group and would go on.
    const onExit = (): void => kill(child, isInteractive);
    const onSignal = (received: NodeJS.Signals): void => {
      onExit();
      // Without a listener, it would have ended this process.
      if (process.listenerCount(received) === 0) process.kill(process.pid, received);
    };
    process.once("exit", onExit);
    // First of all: listeners that are called once are counted before they are called.
    for (const one of DEADLY_SIGNALS) process.prependOnceListener(one, onSignal);
    const finish = (act: () => void): void => {
      clearTimeout(timer);
      process.off("exit", onExit);
      for (const one of DEADLY_SIGNALS) process.off(one, onSignal);
      signal.removeEventListener("abort", onAbort);
      child.stdout?.destroy();
      child.stderr?.destroy();
      act();
    };
    const end = (ending: Ending): void => finish(() => resolve(ending));
    const timer = setTimeout(() => {
      kill(child, isInteractive);
      end({ end: "too-slow" });
    }, timeout);
    const onAbort = (): void => {
      kill(child, isInteractive);
      finish(() => reject(cancelled()));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length <= MAX_OUTPUT) return;
      kill(child, isInteractive);
      end({ end: "too-much" });
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (errors.length < MAX_ERRORS) errors += text;
    });
    // A program that ends without reading is no failure.
    child.stdin?.on("error", () => undefined).end(input);
    child.on("error", (error: NodeJS.ErrnoException) => end({ end: "not-started", code: error.code }));
    child.on("close", (code, killedBy) => end({ end: "exited", code, killedBy, output, errors }));
  });
}

function started({ command, args, environment, input, isInteractive = false }: Program): ChildProcess {
  return spawn(command, args, {
    env: environment,
    // What it asks for must be seen; otherwise its errors are for our message.
    stdio: isInteractive ? ["inherit", "pipe", "inherit"] : [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    // A group of its own, so that what it started ends with it; it would lose the terminal.
    detached: !isInteractive && process.platform !== "win32",
    windowsHide: true,
  });
}

function kill(child: ChildProcess, isInteractive: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (isInteractive || process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
