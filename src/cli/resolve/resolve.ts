// `plimsoll resolve`: which operators, at which versions, go together here?

import type { Command } from "commander";
import { commonWarnings, explained, goneOperators } from "../../job/explained.ts";
import type { LockComparison } from "../../model/lock.ts";
import type { Problem } from "../../model/problem.ts";
import { attentionSentence, COMPLETE_FORMATS } from "../../render/resolve/attention.ts";
import { renderResolution } from "../../render/resolve/render-resolution.ts";
import { scopeText } from "../../render/sentence/names.ts";
import { type Solved, solveAll } from "../../resolve/cluster-state.ts";
import type { Resolution } from "../../resolve/resolution.ts";
import { deadline } from "../deadline.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { printedText, printFindings, reportedFindings } from "../inputs.ts";
import { positionsOf } from "../positions.ts";
import { codesOf, FORMATS_WITH_FACTS, placesOf, save } from "../question/answer-parts.ts";
import { askedCommand, type FixCommand, fixCommands } from "../question/fix-command.ts";
import { pathAsPackage, wrongUsage } from "../question/flag-conflicts.ts";
import { loadQuestion, namedRequests, type Question } from "../question/load.ts";
import type { ResolveFlags } from "../question/options.ts";
import { printBug } from "../question/problem-file.ts";
import { isOfClusterScope, noManifestsText, note, refuse, restOf } from "../question/usage-error.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { compareConstraints } from "./what-if-constraints.ts";

export { withResolveOptions as addFlags } from "../question/options.ts";

/** Runs the command; `parsed` is how its flags were read. */
export async function run(packages: readonly string[], flags: ResolveFlags, parsed: Command): Promise<ExitCode> {
  const terminal = openTerminal(flags);
  const mistaken = pathAsPackage(packages, flags);
  if (mistaken !== undefined) return refuse(mistaken, terminal);
  const named = namedRequests([...packages, ...flags.add]);
  if (typeof named === "string") return refuse(named, terminal);
  const wrong = wrongUsage(named.length > 0, flags);
  if (wrong !== undefined) return refuse(wrong, terminal);

  const question = await loadQuestion(named, flags, terminal);
  if (flags.whatIfConstraints !== undefined)
    return compareConstraints(question, flags.whatIfConstraints, flags, terminal);
  // Only --locked needs the modules of plans.
  const lockFile = flags.locked === undefined ? undefined : await import("../question/lock-file.ts");
  const locked = await lockFile?.loadLock(flags.locked ?? "", flags.maxDocumentBytes);
  if (locked !== undefined) terminal.endPhase(() => `read the lock file ${flags.locked}`);
  const findings = [...question.findings, ...(locked?.findings ?? [])];
  await printFindings({ ...question, findings }, flags, terminal, restOf(question));
  if (question.wrong !== undefined)
    return worstOf([...question.codes, refuse(question.wrong.message, terminal, question.wrong.code)]);
  if (isOfClusterScope(question) && flags.output === "subscriptions")
    return refuse(noManifestsText(flags.output), terminal);
  const saved = flags.saveProblem === undefined ? [] : save(flags.saveProblem, question.problems, terminal);
  if (saved.includes(EXIT.usage)) return EXIT.usage;
  // Restore the default SIGINT: the search is synchronous and would not see the event.
  process.removeAllListeners("SIGINT");
  const isOver = deadline(flags.timeout);
  const solved: Solved[] = [];
  for (const one of solveAll(question.problems, isOver)) {
    solved.push(one);
    terminal.endPhase(() => `resolved ${scopeText(one.problem.namespace)}${outcomeText(one)}`);
  }
  const comparison =
    locked?.lock && lockFile?.compareAnswers(locked.lock, question.problems, solved, deadline(flags.timeout));
  if (comparison !== undefined) terminal.endPhase(() => `compared the answer with ${flags.locked}`);
  const resolutions = await answer(
    { ...question, findings, command: fixCommands(askedCommand(parsed), question.problems) },
    solved,
    comparison,
    flags,
    terminal,
    isOver,
  );
  if (comparison !== undefined)
    lockFile?.printComparison(flags.locked ?? "", comparison, flags.quiet === true, terminal);
  return worstOf([
    ...question.codes,
    ...saved,
    ...(locked?.codes ?? []),
    ...((comparison && lockFile?.codesOfLock(comparison)) ?? []),
    ...resolutions.flatMap((resolution) => codesOf(resolution, flags)),
    ...solved.map(({ kind }) => (kind === "bug" ? EXIT.bug : EXIT.yes)),
  ]);
}

function outcomeText(solved: Solved): string {
  return solved.kind === "solved" ? `: ${solved.resolution.outcome}` : "";
}

/** Prints the answers; bugs go to standard error. */
async function answer(
  { problems, warnings, findings, files, command }: Question & { readonly command: FixCommand },
  solved: readonly Solved[],
  lock: LockComparison | undefined,
  flags: ResolveFlags,
  terminal: Terminal,
  isOver: (() => boolean) | undefined,
): Promise<readonly Resolution[]> {
  const isList = flags.allNamespaces === true;
  const explaining = {
    warnings,
    isList,
    replaced: flags.instead.map((request) => request.package),
    heldBack: explainedBy(flags.output),
    stop: isOver,
  };
  const resolutions = solved.flatMap((item, index) => {
    if (item.kind === "bug") {
      printBug(item.problem, item.message, terminal);
      return [];
    }
    const found = explained(item, problems[index] as Problem, explaining);
    if (explaining.heldBack !== undefined)
      terminal.endPhase(() => `explained the answer for ${scopeText(found.namespace)}`);
    return [found];
  });
  if (!isList && resolutions.length === 0) return [];
  const shown = {
    resolutions,
    isList,
    warnings: commonWarnings(explaining),
    inputFindings: await reportedFindings({ findings, files }, flags.output),
    gone: goneOperators(problems),
    lock,
  };
  const withFacts = FORMATS_WITH_FACTS.has(flags.output);
  const placed = resolutions.flatMap((resolution) => placesOf(resolution, withFacts));
  const at = await positionsOf([...shown.warnings, ...placed], files);
  const look = { output: flags.output, style: terminal.outStyle, width: terminal.outWidth };
  terminal.out(renderResolution({ ...shown, at, command }, look));
  terminal.endPhase(() => printedText(flags));
  const more = flags.quiet ? undefined : attentionSentence(resolutions, flags.output);
  if (more !== undefined) note(more, terminal);
  return resolutions;
}

/** Which operators a format explains: reports for programs also those that wait for approval. */
function explainedBy(output: string): "all" | "beyond-approval" | undefined {
  if (!COMPLETE_FORMATS.has(output)) return undefined;
  return output === "json" || output === "yaml" ? "all" : "beyond-approval";
}
