// How is a problem kept in a file, so that its answer can be found again? On request, and by itself where we made a
// mistake, so that it can be reported.

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Problem } from "../../model/problem.ts";
import { quotedLines, safeText } from "../../render/kit/safe-text.ts";
import { saveProblem } from "../../resolve/prepare/save-problem.ts";
import { reasonOf } from "../../source/file-chunks.ts";
import type { Terminal } from "../terminal.ts";

/** Writes a problem to a file; says why where that is not possible. */
export function writeProblem(path: string, problem: Problem): string | undefined {
  try {
    writeFileSync(path, saveProblem(problem));
    return undefined;
  } catch (error) {
    return `${path} cannot be written: ${reasonOf(error)}`;
  }
}

/**
 * Writes a problem that we could not solve properly into the working directory, or where temporary files go; the name of
 * the file, or nothing where neither can be written. The same problem has the same name.
 */
function dumpProblem(problem: Problem): string | undefined {
  const text = saveProblem(problem);
  const name = `plimsoll-problem-${createHash("sha256").update(text).digest("hex").slice(0, 12)}.json`;
  for (const path of [name, join(tmpdir(), name)]) {
    try {
      writeFileSync(path, text);
      return path;
    } catch {
      // The next place may be better.
    }
  }
  return undefined;
}

/** Says that we made a mistake, and keeps the problem so that it can be reported; `command` shows it again. */
export function tellBug(problem: Problem, message: string, terminal: Terminal, command = "resolve"): void {
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
