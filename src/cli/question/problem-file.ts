// How is a bug reported? With the problem in a file, so that it can be reproduced.

import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "../../model/problem.ts";
import { sha256 } from "../../plan/lock/sha256.ts";
import { quotedLines, safeText } from "../../render/kit/safe-text.ts";
import { saveProblem } from "../../resolve/prepare/save-problem.ts";
import type { Terminal } from "../terminal.ts";
import { writeText } from "../whole-text.ts";

/**
 * Writes a problem that hit a bug to the working directory, or else to the directory for temporary files; returns the path,
 * or undefined if both fail. The same problem gets the same name.
 */
function dumpProblem(problem: Problem): string | undefined {
  const text = saveProblem(problem);
  const name = `plimsoll-problem-${sha256(Buffer.from(text)).slice(0, 12)}.json`;
  return [name, join(tmpdir(), name)].find((path) => writeText(path, text) === undefined);
}

/** Says that we made a mistake, and keeps the problem so that it can be reported; `command` shows it again. */
export function printBug(problem: Problem, error: unknown, terminal: Terminal, command = "resolve"): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const file = dumpProblem(problem);
  const lines = [
    "plimsoll: this is a bug in plimsoll, please report it.",
    ...quotedLines(message),
    file === undefined
      ? "The problem could not be written to a file."
      : `The problem is in ${safeText(file)}; to see it again: plimsoll ${command} --replay ${safeText(file)}`,
  ];
  terminal.err(`${lines.join("\n")}\n`);
}
