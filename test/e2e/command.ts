// How is the built command run beside a proxy in the same thread? As a process of its own that is not waited for in between:
// no terminal, no colour, a home without a kubeconfig.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";

/** What a command did. */
export interface Ran {
  /** Undefined if a signal ended it. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** A command that runs. */
export interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ran>;
  /** Resolves as soon as standard error has a text; rejects if the command ends before. */
  says(text: string): Promise<void>;
}

/** The environment of a command, besides PATH and HOME. */
export type Environment = Readonly<Record<string, string>>;

/** The built command, which is also a plugin of kubectl. */
export const COMMAND: string = resolve("dist/bin/plimsoll.js");

/** A folder for the files of a test, which is removed after the tests of its file. */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `plimsoll-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts `plimsoll` at the root of the project; `home` is its HOME. */
export function startCommand(args: readonly string[], home: string, environment: Environment = {}): Running {
  if (!existsSync(COMMAND)) throw new Error("the command is not built; run npm run test:e2e");
  return startProgram(process.execPath, [COMMAND, ...args], home, environment);
}

/** Starts any program in the same way. */
export function startProgram(
  program: string,
  args: readonly string[],
  home: string,
  environment: Environment = {},
): Running {
  const { PATH = "" } = process.env;
  const child = spawn(program, args, { env: { PATH, HOME: home, NO_COLOR: "1", ...environment } });
  let out = "";
  let err = "";
  const waiting = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    for (const look of waiting) look();
  });
  const ended = new Promise<Ran>((done, failed) => {
    child.on("error", failed);
    child.on("close", (code) => done({ code: code ?? undefined, out, err }));
  });
  child.stdin.on("error", () => {}).end();
  const says = (text: string): Promise<void> =>
    new Promise((done, failed) => {
      const look = (): void => {
        if (err.includes(text)) done();
      };
      waiting.add(look);
      look();
      ended.then(() => failed(new Error(`it ended without saying ${text}: ${err}`)), failed);
    });
  return { process: child, ended, says };
}

/** Runs `plimsoll` to its end. */
export function runCommand(args: readonly string[], home: string, environment?: Environment): Promise<Ran> {
  return startCommand(args, home, environment).ended;
}
