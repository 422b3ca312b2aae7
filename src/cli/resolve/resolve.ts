// `plimsoll resolve`: which operators, at which versions, go together here?

import type { LockComparison } from "../../model/lock.ts";
import type { Place } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import { attentionSentence, COMPLETE_FORMS } from "../../render/resolve/attention.ts";
import { renderResolution } from "../../render/resolve/render-resolution.ts";
import { explainAnswer } from "../../resolve/explain/explain-answer.ts";
import { unavailableCatalogs } from "../../resolve/prepare/not-given.ts";
import type { Resolution } from "../../resolve/resolution.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { reportedFindings, tellFindings } from "../inputs.ts";
import { positionsOf } from "../positions.ts";
import { fixCommands, typedResolve } from "../question/fix-command.ts";
import { wrongUsage } from "../question/flag-conflicts.ts";
import { type Answered, type Solved, solveAll } from "../question/in-time.ts";
import { askedQuestion, namedRequests, type Question, savedQuestion } from "../question/load.ts";
import { unknownNames } from "../question/names.ts";
import type { ResolveFlags } from "../question/options.ts";
import { tellBug, writeProblem } from "../question/problem-file.ts";
import { refuse, restOf } from "../question/usage-error.ts";
import { openTerminal, type Terminal } from "../terminal.ts";

/** Runs the command. */
export async function runResolve(packages: readonly string[], flags: ResolveFlags): Promise<ExitCode> {
  const terminal = openTerminal(flags.color);
  const named = namedRequests([...packages, ...flags.add]);
  if (typeof named === "string") return refuse(named, terminal);
  const wrong = wrongUsage(named.length > 0, flags);
  if (wrong !== undefined) return refuse(wrong, terminal);

  const question =
    flags.replay === undefined
      ? await askedQuestion(named, flags, terminal)
      : await savedQuestion(flags.replay, named, flags);
  // Whoever locks nothing need not wait until all about plans is loaded.
  const lockFile = flags.locked === undefined ? undefined : await import("../question/lock-file.ts");
  const locked = await lockFile?.loadLock(flags.locked ?? "", flags.maxDocumentBytes);
  const findings = [...question.findings, ...(locked?.findings ?? [])];
  await tellFindings({ ...question, findings }, flags, terminal, restOf(question));
  if (question.wrong !== undefined) return refuse(question.wrong.message, terminal, question.wrong.code);
  const saved = flags.saveProblem === undefined ? [] : save(flags.saveProblem, question.problems, terminal);
  if (saved.includes(EXIT.usage)) return EXIT.usage;
  // While we search nobody would hear an interruption, unless the system itself acts on it.
  process.removeAllListeners("SIGINT");
  const solved = solveAll(question.problems, flags.timeout);
  const comparison = locked?.lock && lockFile?.compareAnswers(locked.lock, question.problems, solved, flags.timeout);
  const resolutions = await answer({ ...question, findings }, solved, comparison, flags, terminal);
  if (comparison !== undefined)
    lockFile?.tellComparison(flags.locked ?? "", comparison, flags.quiet === true, terminal);
  return worstOf([
    ...question.codes,
    ...saved,
    ...(locked === undefined || locked.lock !== undefined ? [] : [locked.code]),
    ...((comparison && lockFile?.codesOfLock(comparison)) ?? []),
    ...resolutions.flatMap((resolution) => codesOf(resolution, flags)),
    ...solved.map(({ kind }) => (kind === "bug" ? EXIT.bug : EXIT.yes)),
  ]);
}

/** Prints the answers; what went wrong with ours goes to standard error. */
async function answer(
  { problems, warnings, findings, files }: Question,
  solved: readonly Solved[],
  lock: LockComparison | undefined,
  flags: ResolveFlags,
  terminal: Terminal,
): Promise<readonly Resolution[]> {
  const isList = flags.allNamespaces === true;
  const replaced = new Set(flags.instead.map((wish) => wish.package));
  const resolutions = solved.flatMap((item, index) => {
    const problem = problems[index] as Problem;
    if (item.kind === "bug") tellBug(item.problem, item.message, terminal);
    if (item.kind === "bug") return [];
    const found = explained(item, flags.output);
    const early = warnings.filter(({ namespace }) =>
      namespace === undefined ? !isList : namespace === found.namespace,
    );
    return [
      {
        ...found,
        warnings: [...unknownNames(problem, replaced), ...unavailableCatalogs(problem), ...early, ...found.warnings],
      },
    ];
  });
  if (!isList && resolutions.length === 0) return [];
  const shown = {
    resolutions,
    isList,
    warnings: isList ? warnings.filter(({ namespace }) => namespace === undefined) : [],
    inputFindings: await reportedFindings({ findings, files }, flags.output),
    gone: [...new Set(problems.flatMap(({ gone }) => gone))],
    lock,
  };
  const withFacts = FORMS_WITH_FACTS.has(flags.output);
  const placed = resolutions.flatMap((resolution) => placesOf(resolution, withFacts));
  const at = await positionsOf([...shown.warnings, ...placed], files);
  const command = fixCommands(typedResolve(process.argv), problems);
  const look = { output: flags.output, style: terminal.outStyle, width: terminal.outWidth };
  terminal.out(renderResolution({ ...shown, at, command }, look));
  const more = flags.quiet ? undefined : attentionSentence(resolutions, flags.output);
  if (more !== undefined) terminal.err(`plimsoll: ${safeText(more)}\n`);
  return resolutions;
}

/** The answer, with the explanations that a form shows. */
function explained({ problem, resolution, stop }: Answered, output: string): Resolution {
  if (!COMPLETE_FORMS.has(output)) return resolution;
  return explainAnswer({
    problem,
    answer: resolution,
    stop,
    heldBack: REPORTS.has(output) ? "all" : "beyond-approval",
  });
}

/** The forms that say where each fact stands. */
export const FORMS_WITH_FACTS: ReadonlySet<string> = new Set(["json", "yaml", "wide"]);

/** Forms for programs: they also say why what waits for approval is not there. */
const REPORTS: ReadonlySet<string> = new Set(["json", "yaml"]);

/** Everything shown of an answer that stands somewhere in the input. */
export function placesOf(
  resolution: Resolution,
  withFacts: boolean,
): readonly { readonly place?: Place | undefined }[] {
  const items = withFacts ? [...resolution.heldBack, ...resolution.unsatisfied] : [];
  const explained = items.flatMap(({ explanation }) => explanation?.facts ?? []);
  const { withoutRuntimeConstraints: other } = resolution;
  return [...resolution.warnings, ...explained, ...(other === undefined ? [] : placesOf(other, withFacts))];
}

/** What an answer means for the exit code. */
export function codesOf(resolution: Resolution, flags: Pick<ResolveFlags, "failOn" | "requireProof">): ExitCode[] {
  const { outcome, unsatisfied, broken, heldBack, proven } = resolution;
  const isUndecided = outcome === "Undecided" || unsatisfied.some(({ undecided }) => undecided);
  const isRefused = unsatisfied.some(({ undecided }) => !undecided) || broken.length > 0;
  return [
    ...(isUndecided || (flags.requireProof && !proven) ? [EXIT.undecided] : []),
    ...(isRefused || (flags.failOn === "held-back" && heldBack.length > 0) ? [EXIT.no] : []),
  ];
}

/** Writes down what one namespace is asked for; the code of what went wrong. */
export function save(path: string, problems: readonly Problem[], terminal: Terminal): readonly ExitCode[] {
  const [problem, ...more] = problems;
  if (problem === undefined || more.length > 0)
    return [refuse("--save-problem saves one namespace; choose it with -n.", terminal)];
  const message = writeProblem(path, problem);
  if (message === undefined) return [];
  terminal.err(`plimsoll: ${safeText(message)}\n`);
  return [EXIT.unreachable];
}
