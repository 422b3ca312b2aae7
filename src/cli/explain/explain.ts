// `plimsoll explain`: why is an operator installed, why not, why not newer, and what needs it?

import type { Command } from "commander";
import type { Problem } from "../../model/problem.ts";
import { renderExplanation } from "../../render/explain/render-explanation.ts";
import { declarationsOf, type ShownExplanation } from "../../render/explain/shown.ts";
import { unknownSubjectText } from "../../render/sentence/not-in-catalog.ts";
import type { Topic } from "../../resolve/explain/found-answer.ts";
import { readSubject, type UnknownSubject } from "../../resolve/explain/read-subject.ts";
import { explain, type SubjectExplanation } from "../../resolve/explain/subject.ts";
import { requestFor, type Try } from "../../resolve/explain/why-absent.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
import { requestWarnings } from "../../resolve/prepare/unknown-names.ts";
import type { Fix } from "../../resolve/resolution.ts";
import type { Choose, Chosen } from "../catalogs/fetch-bundles.ts";
import { deadline } from "../deadline.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { printedText, printFindings, reportedFindings } from "../inputs.ts";
import { positionsOf } from "../positions.ts";
import { askedAsResolve, type FixCommand, fixCommands } from "../question/fix-command.ts";
import { wrongUsage } from "../question/flag-conflicts.ts";
import { chosenByAnswer, loadQuestion, namedRequests, type Question } from "../question/load.ts";
import { printBug } from "../question/problem-file.ts";
import { missingCode, refuse, restOf } from "../question/usage-error.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { type ExplainFlags, wrongForExplain } from "./options.ts";

export { withExplainOptions as addFlags } from "./options.ts";

/** Runs the command; `command` is how its flags were read. */
export async function run(text: string, flags: ExplainFlags, command: Command): Promise<ExitCode> {
  const terminal = openTerminal(flags);
  const named = namedRequests(flags.add);
  if (typeof named === "string") return refuse(named, terminal);
  const wrong = wrongForExplain(flags) ?? wrongUsage(named.length > 0, flags);
  if (wrong !== undefined) return refuse(wrong, terminal);

  const choose: Choose = (problems) => [
    ...chosenByAnswer(problems, flags),
    ...broughtByRequests(problems, text, flags),
  ];
  const question = withNothingAsked(await loadQuestion(named, flags, terminal, "explain", choose));
  await printFindings(question, flags, terminal, restOf(question));
  if (question.wrong !== undefined)
    return worstOf([...question.codes, refuse(question.wrong.message, terminal, question.wrong.code)]);
  const [problem] = question.problems;
  if (problem === undefined) return worstOf(question.codes);
  const subject = readSubject(text, problem);
  if (subject.kind !== "topic")
    return worstOf([...question.codes, refuse(unknownSubjectText(subject), terminal, unknownCode(subject))]);
  // Restore the default SIGINT: the search is synchronous and would not see the event.
  process.removeAllListeners("SIGINT");
  const answer = explained(problem, subject.topic, flags, terminal);
  if (answer === undefined) return EXIT.bug;
  terminal.endPhase(() => `explained ${text}: ${answer.verdict}`);
  const shown = await shownOf(answer, problem, question, flags, command);
  terminal.out(renderExplanation(shown, { output: flags.output, style: terminal.outStyle, width: terminal.outWidth }));
  terminal.endPhase(() => printedText(flags));
  return worstOf([...question.codes, ...codesOf(answer, flags)]);
}

/** A package or version that does not exist is a "no", unless its catalog was not read; a text that does not name one is a usage error. */
function unknownCode(unknown: UnknownSubject): ExitCode {
  switch (unknown.kind) {
    case "no-package":
    case "no-version":
    case "not-a-package":
      return EXIT.usage;
    case "missing":
      return unknown.unavailable.length > 0 ? EXIT.undecided : missingCode(unknown.missing);
    case "unknown-version":
      return EXIT.no;
  }
}

/**
 * `explain` needs no requests: its subject need not be requested. An empty namespace is a warning, since its name may be
 * misspelt; requests that could not be read keep their exit code.
 */
function withNothingAsked(question: Question): Question {
  const { wrong, problems, warnings, codes } = question;
  if (wrong === undefined || problems.length === 0) return question;
  return {
    ...question,
    wrong: undefined,
    warnings: wrong.empty === undefined ? warnings : [...warnings, wrong.empty],
    codes: wrong.code === EXIT.usage || wrong.empty !== undefined ? codes : [...codes, wrong.code],
  };
}

/** The operators that requests for the subject would bring. An exception is a bug, which the explanation itself reports. */
function broughtByRequests([problem]: readonly Problem[], text: string, { timeout }: ExplainFlags): readonly Chosen[] {
  const subject = problem && readSubject(text, problem);
  if (problem === undefined || subject?.kind !== "topic") return [];
  try {
    const { tries } = explain(problem, subject.topic, { stop: deadline(timeout) });
    return tries.flatMap(({ brings }) =>
      brings.flatMap(({ package: owner, name }) => (owner === undefined ? [] : [{ package: owner, name }])),
    );
  } catch {
    return [];
  }
}

/** Explains; an exception is a bug. */
function explained(
  problem: Problem,
  subject: Topic,
  { whoNeeds, timeout }: ExplainFlags,
  terminal: Terminal,
): SubjectExplanation | undefined {
  try {
    return explain(problem, subject, { withLoss: whoNeeds === true, stop: deadline(timeout) });
  } catch (error) {
    printBug(problem, error, terminal);
    return undefined;
  }
}

async function shownOf(
  answer: SubjectExplanation,
  problem: Problem,
  { warnings, findings, files }: Question,
  flags: ExplainFlags,
  parsed: Command,
): Promise<ShownExplanation> {
  const scope = { isOneOfSeveral: false, replaced: flags.instead.map((request) => request.package) };
  const shown = requestWarnings(problem, warnings, scope);
  const declarations = declarationsOf(answer);
  const refused = answer.unsatisfied.flatMap(({ explanation }) => explanation.facts);
  const facts = [...answer.explanation.facts, ...refused, ...(answer.notNewer?.facts ?? []), ...declarations];
  const command = fixCommands(askedAsResolve(parsed), [problem]);
  const asking = askingCommands(parsed, problem, requestFor(answer.subject));
  const isAsked = problem.requests.some((request) => request.package === answer.subject.package);
  return {
    answer,
    declarations,
    warnings: shown,
    inputFindings: await reportedFindings({ findings, files }, flags.output),
    at: await positionsOf([...shown, ...facts], files),
    // What has to be read first is no change that a command could try.
    command: (fix: Fix) =>
      answer.verdict === "notRequested" && !isAsked && fix.changes.length > 0 ? asking(fix) : command(fix),
    tryCommand: ({ how, request, after }: Try) => {
      const changes = after?.changes ?? [];
      return how === "add"
        ? asking({ namespace: problem.namespace, changes })
        : command({ namespace: problem.namespace, changes: [{ kind: "instead", request }, ...changes] });
    },
  };
}

/** Prints the command that asks for what was asked about, and tries a fix. */
export function askingCommands(parsed: Command, problem: Problem, request: NamedRequest): FixCommand {
  const commandOf = fixCommands(askedAsResolve(parsed, [printNamedRequest(request)]), [problem]);
  return (fix) => commandOf({ ...fix, changes: [{ kind: "instead", request }, ...fix.changes] });
}

/** The exit codes that follow from an explanation: it may be undecided, or lack a required proof. */
function codesOf({ undecided, proven }: SubjectExplanation, { requireProof }: ExplainFlags): readonly ExitCode[] {
  return undecided || (requireProof && !proven) ? [EXIT.undecided] : [];
}
