// How are lock files read, written and compared?

import { readLock } from "../../input/read-lock.ts";
import type { Finding } from "../../model/finding.ts";
import type { Lock, LockComparison } from "../../model/lock.ts";
import type { Problem } from "../../model/problem.ts";
import { compareWithLockedGeneration } from "../../plan/lock/compare-lock.ts";
import { makeLock } from "../../plan/lock/make-lock.ts";
import { printLock } from "../../plan/lock/print-lock.ts";
import type { Plan } from "../../plan/plan.ts";
import { comparisonLines } from "../../render/plan/lock-text.ts";
import type { Solved } from "../../resolve/cluster-state.ts";
import { engineVersion } from "../engine-version.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { wholeText, writeText } from "../whole-text.ts";

/** A lock; if its file is invalid, the findings and the exit codes. */
export interface LoadedLock {
  readonly lock: Lock | undefined;
  readonly findings: readonly Finding[];
  readonly codes: readonly ExitCode[];
}

/** Reads the file of `--locked`. */
export async function loadLock(path: string, maxDocumentBytes: number): Promise<LoadedLock> {
  const file = await wholeText(path, maxDocumentBytes);
  if ("unreadable" in file) return { lock: undefined, findings: [file.unreadable], codes: [EXIT.unreachable] };
  const { lock, findings } = readLock(file.text, file.source);
  return { lock, findings, codes: lock === undefined ? [EXIT.invalidInput] : [] };
}

/** Writes the file of `--lock`; returns why if that fails. */
export function writeLock(path: string, problems: readonly Problem[], plans: readonly Plan[]): string | undefined {
  return writeText(path, printLock(makeLock(problems, plans, engineVersion())));
}

/** Compares the answers with a lock, if there are any. */
export function compareAnswers(
  lock: Lock,
  problems: readonly Problem[],
  solved: readonly Solved[],
  isOver: (() => boolean) | undefined,
): LockComparison | undefined {
  const resolutions = solved.flatMap((one) => (one.kind === "solved" ? [one.resolution] : []));
  if (resolutions.length === 0) return undefined;
  return compareWithLockedGeneration(lock, problems, resolutions, engineVersion(), isOver);
}

/** Prints to standard error how an answer differs from a lock file; with `isQuiet`, only if it does. */
export function printComparison(path: string, comparison: LockComparison, isQuiet: boolean, terminal: Terminal): void {
  if (isQuiet && comparison.same) return;
  for (const line of comparisonLines(path, comparison)) terminal.err(`${line}\n`);
}

/** The exit codes that follow from a comparison. */
export function codesOfLock({ same }: LockComparison): readonly ExitCode[] {
  return same ? [] : [EXIT.no];
}
