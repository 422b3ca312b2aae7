// What do `resolve` and `plan` do with an answer in the same way? Its places, its exit codes, and the file of its problem.

import type { Place } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { saveProblem } from "../../resolve/prepare/save-problem.ts";
import type { Resolution } from "../../resolve/resolution.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";
import { writeText } from "../whole-text.ts";
import type { ResolveFlags } from "./options.ts";
import { refuse } from "./usage-error.ts";

/** Formats that show the place of each fact. */
export const FORMATS_WITH_FACTS: ReadonlySet<string> = new Set(["json", "yaml", "wide"]);

/** Everything in an answer that has a place in the input. */
export function placesOf(
  resolution: Resolution,
  withFacts: boolean,
): readonly { readonly place?: Place | undefined }[] {
  const items = withFacts ? [...resolution.heldBack, ...resolution.unsatisfied] : [];
  const explained = items.flatMap(({ explanation }) => explanation?.facts ?? []);
  const { withoutRuntimeConstraints: other } = resolution;
  return [...resolution.warnings, ...explained, ...(other === undefined ? [] : placesOf(other, withFacts))];
}

/** The exit codes that follow from an answer. */
export function codesOf(resolution: Resolution, flags: Pick<ResolveFlags, "failOn" | "requireProof">): ExitCode[] {
  const { outcome, unsatisfied, broken, heldBack, proven } = resolution;
  const isUndecided = outcome === "Undecided" || unsatisfied.some(({ undecided }) => undecided);
  const isRefused = unsatisfied.some(({ undecided }) => !undecided) || broken.length > 0;
  return [
    ...(isUndecided || (flags.requireProof && !proven) ? [EXIT.undecided] : []),
    ...(isRefused || (flags.failOn === "held-back" && heldBack.length > 0) ? [EXIT.no] : []),
  ];
}

/** Saves the problem of the only namespace; returns the exit codes of failures. */
export function save(path: string, problems: readonly Problem[], terminal: Terminal): readonly ExitCode[] {
  const [problem, ...more] = problems;
  if (problem === undefined || more.length > 0)
    return [refuse("--save-problem saves one namespace; choose it with -n.", terminal)];
  const message = writeText(path, saveProblem(problem));
  return message === undefined ? [] : [refuse(message, terminal, EXIT.unreachable)];
}
