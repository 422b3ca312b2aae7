// What is printed to standard error, and which code does a command exit with that has no answer?

import type { Missing } from "../../catalog/missing.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import type { Question } from "./load.ts";

/** Prints a sentence to standard error. */
export function note(sentence: string, terminal: Terminal): void {
  terminal.err(`plimsoll: ${safeText(sentence)}\n`);
}

/** Prints why there is no answer; returns the exit code. */
export function refuse(message: string, terminal: Terminal, code: ExitCode = EXIT.usage): ExitCode {
  note(message, terminal);
  return code;
}

/** Is only the cluster scope asked about? */
export function isOfClusterScope({ problems }: Question): boolean {
  return problems.length > 0 && problems.every(({ scope }) => scope === "cluster");
}

/** Why there are no manifests for ClusterExtensions. */
export function noManifestsText(output: string): string {
  return `-o ${output} is for namespaces; a ClusterExtension needs a namespace and a service account that only its author can choose.`;
}

/** What does not exist is a "no"; a name that several things have is a usage error. */
export function missingCode({ reason }: Missing): ExitCode {
  return reason === "ambiguous" ? EXIT.usage : EXIT.no;
}

/** What happens to the valid part of the input if no catalog has any. */
export const NO_CATALOG_USED = "no catalog can be used";

/** What happens to the valid part of the input. */
export function restOf({ problems, wrong }: Question): string {
  if (problems.length === 0 || wrong !== undefined) return "nothing can be answered";
  if (problems.every(({ catalogs, unavailable }) => catalogs.length === 0 && unavailable.length > 0))
    return NO_CATALOG_USED;
  const isHeldUp = problems.some(({ runtime }) => runtime.problems.length > 0);
  return isHeldUp ? "nothing is installed or updated until the runtime constraints can be read" : "the rest is used";
}
