// How is a problem saved to a file? With --save-problem, and after a bug, so that it can be reported.

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "../../model/problem.ts";
import { sha256 } from "../../plan/lock/sha256.ts";
import { quotedLines, safeText } from "../../render/kit/safe-text.ts";
import { saveProblem } from "../../resolve/prepare/save-problem.ts";
import { reasonOf } from "../../source/file-chunks.ts";
import type { Terminal } from "../terminal.ts";

/** Writes a problem to a file; returns why if that fails. */
export function writeProblem(path: string, problem: Problem): string | undefined {
  try {
    writeFileSync(path, saveProblem(problem));
    return undefined;
  } catch (error) {
    return `${path} cannot be written: ${reasonOf(error)}`;
  }
}

/**
 * Writes a problem that hit a bug to the working directory, or else to the directory for temporary files; returns the path,
 * or undefined if both fail. The same problem gets the same name.
 */
function dumpProblem(problem: Problem): string | undefined {
  const text = saveProblem(problem);
  const name = `plimsoll-problem-${sha256(Buffer.from(text)).slice(0, 12)}.json`;
  for (const path of [name, join(tmpdir(), name)]) {
    try {
      writeFileSync(path, text);
      return path;
    } catch {
      // Try the next directory.
    }
  }
  return undefined;
}

/** Says that we made a mistake, and keeps the problem so that it can be reported; `command` shows it again. */
export function printBug(problem: Problem, message: string, terminal: Terminal, command = "resolve"): void {
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
