// `plimsoll resolve`: which operators, at which versions, go together here?

import { statSync } from "node:fs";
import { type Place, printPlace } from "../model/place.ts";
import type { Problem } from "../model/problem.ts";
import { attentionSentence } from "../render/resolve/attention.ts";
import { renderResolution } from "../render/resolve/render-resolution.ts";
import { safeLines, safeText } from "../render/safe-text.ts";
import { unavailableCatalogs } from "../resolve/prepare/not-given.ts";
import type { Resolution } from "../resolve/resolution.ts";
import { type InputFiles, STDIN } from "../source/input-files.ts";
import { EXIT, type ExitCode, worstOf } from "./exit-code.ts";
import { tellFindings } from "./inputs.ts";
import { dumpProblem, writeProblem } from "./problem-file.ts";
import { type Solved, solveAll } from "./resolve-in-time.ts";
import { unknownNames } from "./resolve-names.ts";
import type { ResolveFlags } from "./resolve-options.ts";
import { askedQuestion, namedRequests, type Question, savedQuestion } from "./resolve-question.ts";
import { wrongUsage } from "./resolve-usage.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Runs the command. */
export async function runResolve(packages: readonly string[], flags: ResolveFlags): Promise<ExitCode> {
  const terminal = openTerminal(flags.color);
  const named = namedRequests([...packages, ...flags.add]);
  if (typeof named === "string") return refuse(named, terminal);
  const wrong = wrongUsage(named.length > 0, flags);
  if (wrong !== undefined) return refuse(wrong, terminal);

  const question =
    flags.replay === undefined ? await askedQuestion(named, flags, terminal) : await savedQuestion(flags.replay, flags);
  await tellFindings(question, flags, terminal, restOf(question));
  if (question.wrong !== undefined) return refuse(question.wrong.message, terminal, question.wrong.code);
  const saved = flags.saveProblem === undefined ? [] : save(flags.saveProblem, question.problems, terminal);
  if (saved.includes(EXIT.usage)) return EXIT.usage;
  // While we search nobody would hear an interruption, unless the system itself acts on it.
  process.removeAllListeners("SIGINT");
  const solved = solveAll(question.problems, flags.timeout);
  const resolutions = await answer(question, solved, flags, terminal);
  return worstOf([
    ...question.codes,
    ...saved,
    ...resolutions.flatMap((resolution) => codesOf(resolution, flags)),
    ...solved.map(({ kind }) => (kind === "bug" ? EXIT.bug : EXIT.yes)),
  ]);
}

/** Prints the answers; what went wrong with ours goes to standard error. */
async function answer(
  { problems, warnings, files }: Question,
  solved: readonly Solved[],
  flags: ResolveFlags,
  terminal: Terminal,
): Promise<readonly Resolution[]> {
  const isList = flags.allNamespaces === true;
  const resolutions = solved.flatMap((item, index) => {
    const problem = problems[index] as Problem;
    if (item.kind === "bug") tellBug(item.problem, item.message, terminal);
    if (item.kind === "bug") return [];
    const found = item.resolution;
    const early = warnings.filter(({ namespace }) =>
      namespace === undefined ? !isList : namespace === found.namespace,
    );
    return [
      { ...found, warnings: [...unknownNames(problem), ...unavailableCatalogs(problem), ...early, ...found.warnings] },
    ];
  });
  if (!isList && resolutions.length === 0) return [];
  const shown = {
    resolutions,
    isList,
    warnings: isList ? warnings.filter(({ namespace }) => namespace === undefined) : [],
    catalogs: catalogsOf(problems),
    gone: [...new Set(problems.flatMap(({ gone }) => gone))],
  };
  const at = await positionsOf([...shown.warnings, ...resolutions.flatMap(placesOf)], files);
  const look = { output: flags.output, style: terminal.outStyle, width: terminal.outWidth };
  terminal.out(renderResolution({ ...shown, at }, look));
  const more = flags.quiet ? undefined : attentionSentence(resolutions, flags.output);
  if (more !== undefined) terminal.err(`plimsoll: ${more}\n`);
  return resolutions;
}

function catalogsOf(problems: readonly Problem[]): Problem["catalogs"] {
  return [...new Set(problems.flatMap(({ catalogs }) => catalogs))];
}

/** Everything in an answer that stands somewhere in the input. */
function placesOf(resolution: Resolution): readonly { readonly place?: Place | undefined }[] {
  const explained = [...resolution.heldBack, ...resolution.unsatisfied].flatMap(({ explanation }) => explanation.facts);
  const { withoutRuntimeConstraints: other } = resolution;
  return [...resolution.warnings, ...explained, ...(other === undefined ? [] : placesOf(other))];
}

/** Says where in its file a place is; a saved problem may name files that are no longer there, or are none. */
async function positionsOf(
  things: readonly { readonly place?: Place | undefined }[],
  files: InputFiles,
): Promise<(place: Place) => string> {
  const places = things.flatMap(({ place }) => (place === undefined || !canBeRead(place.source) ? [] : [place]));
  const spots = await files.spots(places);
  return (place) => {
    const { line, column } = spots.get(place) ?? place;
    return printPlace({ source: place.source, line, column });
  };
}

function canBeRead(source: string): boolean {
  try {
    return source === STDIN || statSync(source).isFile();
  } catch {
    return false;
  }
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

function save(path: string, problems: readonly Problem[], terminal: Terminal): readonly ExitCode[] {
  const [problem, ...more] = problems;
  if (problem === undefined || more.length > 0)
    return [refuse("--save-problem saves one namespace; choose it with -n.", terminal)];
  const message = writeProblem(path, problem);
  if (message === undefined) return [];
  terminal.err(`plimsoll: ${safeText(message)}\n`);
  return [EXIT.unreachable];
}

/** What becomes of the input beside what is wrong with it. */
function restOf({ problems, wrong }: Question): string {
  if (problems.length === 0 || wrong !== undefined) return "nothing can be answered";
  const isHeldUp = problems.some(({ runtime }) => runtime.problems.length > 0);
  return isHeldUp ? "nothing is installed or updated until the runtime constraints can be read" : "the rest is used";
}

function tellBug(problem: Problem, message: string, terminal: Terminal): void {
  const file = dumpProblem(problem);
  const lines = [
    "plimsoll: this is a bug in plimsoll, please report it.",
    ...safeLines(message),
    file === undefined
      ? "The problem could not be written to a file."
      : `The problem is in ${safeText(file)}; to see it again: plimsoll resolve --replay ${safeText(file)}`,
  ];
  terminal.err(`${lines.join("\n")}\n`);
}

function refuse(message: string, terminal: Terminal, code: ExitCode = EXIT.usage): ExitCode {
  terminal.err(`plimsoll: ${safeText(message)}\n`);
  return code;
}
