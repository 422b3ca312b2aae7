// How is the built command run in a test? As a user runs it: a process of its own, no terminal, no colour. Where a test
// runs many, they share one: most of the time of a short command is the start of Node. `npm run test:long` gives every
// command its own.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** What a command did. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const COMMAND = resolve("dist/bin/plimsoll.js");

const PROCESS = resolve("test/cli/command-process.mjs");
const ALONE = process.env.PLIMSOLL_LONG === "1";

/** A command line, what it reads from standard input, and where it runs if not where all others do. */
export interface CommandLine {
  readonly args: readonly string[];
  readonly input?: string;
  readonly directory?: string;
}

/** Runs `plimsoll` with arguments in a directory. */
export function runCommand(args: readonly string[], directory: string, input = ""): Ran {
  const { status, stdout, stderr } = runNode([COMMAND, ...args], directory, input);
  return { code: status ?? -1, out: stdout, err: stderr };
}

/** Runs several command lines one after the other, each in its own directory if it has one. */
export function runCommands(lines: readonly CommandLine[], directory: string): readonly Ran[] {
  if (lines.length === 0) return [];
  if (ALONE) return lines.map(({ args, input, directory: own = directory }) => runCommand(args, own, input));
  const runs = lines.map(({ args, input = "", directory: own = directory }) => {
    // As it was given: the cache is named by its path in there.
    return { args, input, directory: resolve(own), home: own };
  });
  const { status, stdout, stderr } = runNode([PROCESS], directory, JSON.stringify({ command: COMMAND, runs }));
  if (status !== 0 || stderr !== "") throw new Error(`commands ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

function runNode(args: readonly string[], directory: string, input: string) {
  if (!existsSync(COMMAND)) throw new Error("the command is not built; run npm test");
  const { PATH = "" } = process.env;
  const result = spawnSync(process.execPath, args, {
    cwd: directory,
    // A home of its own: without input, a command reads the cluster that is configured there.
    env: { PATH, HOME: directory, NO_COLOR: "1" },
    encoding: "utf8",
    input,
    maxBuffer: 256 * 1024 * 1024,
  });
  if (result.error) throw result.error;
  return result;
}

/** Splits a command line at spaces; single and double quotes group words. */
export function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
