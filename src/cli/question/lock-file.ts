// How are lock files read, written and compared?

import { writeFileSync } from "node:fs";
import { UnreadableError } from "../../input/read-documents.ts";
import { readLock } from "../../input/read-lock.ts";
import { type Finding, finding } from "../../model/finding.ts";
import type { Lock, LockComparison } from "../../model/lock.ts";
import { wholeSource } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { compareWithLockedGeneration } from "../../plan/lock/compare-lock.ts";
import { makeLock } from "../../plan/lock/make-lock.ts";
import { printLock } from "../../plan/lock/print-lock.ts";
import type { Plan } from "../../plan/plan.ts";
import { comparisonLines } from "../../render/plan/lock-text.ts";
import type { Solved } from "../../resolve/cluster-state.ts";
import { reasonOf } from "../../source/file-chunks.ts";
import { STDIN } from "../../source/input-files.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { wholeText } from "../whole-text.ts";

declare const PLIMSOLL_VERSION: string;

/** The version of plimsoll. */
export function engineVersion(): string {
  return PLIMSOLL_VERSION;
}

/** A lock; if its file is invalid, the findings and the exit code. */
export type LoadedLock =
  | { readonly lock: Lock; readonly findings: readonly Finding[] }
  | { readonly lock: undefined; readonly findings: readonly Finding[]; readonly code: ExitCode };

/** Reads the file of `--locked`. */
export async function loadLock(path: string, maxDocumentBytes: number): Promise<LoadedLock> {
  const source = path === "-" ? STDIN : path;
  try {
    const { lock, findings } = readLock(await wholeText(path, maxDocumentBytes), source);
    return lock === undefined ? { lock, findings, code: EXIT.invalidInput } : { lock, findings };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const message = `${source} cannot be read: ${error.message}`;
    return { lock: undefined, findings: [finding("PL001", wholeSource(source), { message })], code: EXIT.unreachable };
  }
}

/** Writes the file of `--lock`; returns why if that fails. */
export function writeLock(path: string, problems: readonly Problem[], plans: readonly Plan[]): string | undefined {
  const text = printLock(makeLock(problems, plans, engineVersion()));
  try {
    writeFileSync(path, text);
    return undefined;
  } catch (error) {
    return `${path} cannot be written: ${reasonOf(error)}`;
  }
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
