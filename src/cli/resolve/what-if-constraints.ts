// `plimsoll resolve --what-if-constraints`: what would other runtime constraints change?

import { distinctFindings, type Finding } from "../../model/finding.ts";
import type { Problem } from "../../model/problem.ts";
import { renderBlastRadius } from "../../render/resolve/blast-radius.ts";
import { scopeText } from "../../render/sentence/names.ts";
import { type BlastRadius, blastRadius, proposedProblem } from "../../resolve/blast-radius/blast-radius.ts";
import type { ClusterDemands } from "../../resolve/prepare/runtime-constraints.ts";
import { counted } from "../../text/words.ts";
import { deadline } from "../deadline.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { printedText, printFindings, reportedFindings } from "../inputs.ts";
import { positionsOf } from "../positions.ts";
import type { Question } from "../question/load.ts";
import type { ResolveFlags } from "../question/options.ts";
import { printBug } from "../question/problem-file.ts";
import { refuse, restOf } from "../question/usage-error.ts";
import type { Terminal } from "../terminal.ts";
import { wholeText } from "../whole-text.ts";

/** Compares the answers with the present constraints and with those of a file. */
export async function compareConstraints(
  question: Question,
  path: string,
  flags: ResolveFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const { problems, codes, wrong } = question;
  const proposed = await readProposed(question, path, flags);
  const findings = distinctFindings([...question.findings, ...proposed.findings]);
  await printFindings({ ...question, findings }, flags, terminal, restText(question, proposed));
  if (wrong !== undefined) return worstOf([...codes, refuse(wrong.message, terminal, wrong.code)]);
  const { demands } = proposed;
  if (demands === undefined) return worstOf([...codes, EXIT.unreachable]);
  terminal.endPhase(() => `read the proposed runtime constraints of ${path}`);
  // Restore the default SIGINT: the search is synchronous and would not see the event.
  process.removeAllListeners("SIGINT");
  const isOver = deadline(flags.timeout);
  const radius = blastRadius({
    problems,
    demands,
    isExplained: true,
    isOver,
    onCompared: (namespace) => terminal.endPhase(() => `compared the answers for ${scopeText(namespace)}`),
  });
  await print(radius, { ...question, findings }, flags, terminal);
  printBugs(radius, problems, demands, terminal);
  return worstOf([...codes, ...codesOf(radius, flags)]);
}

/** The proposed constraints, and what is wrong with them; undefined if their file cannot be read. */
interface Proposed {
  readonly demands: ClusterDemands | undefined;
  readonly findings: readonly Finding[];
}

async function readProposed({ demandsOf }: Question, path: string, flags: ResolveFlags): Promise<Proposed> {
  const file = await wholeText(path, flags.maxDocumentBytes);
  if (!("text" in file)) return { demands: undefined, findings: [file.unreadable] };
  const place = { source: file.source, line: 1, column: 1 };
  const demands = demandsOf?.({ text: file.text, place });
  return { demands, findings: demands?.runtime.problems ?? [] };
}

/** What happens to the valid part of the input. */
function restText(question: Question, { demands, findings }: Proposed): string {
  if (question.wrong !== undefined || demands === undefined) return "nothing is compared";
  return findings.length > 0 ? "with the proposed constraints nothing could be installed or updated" : restOf(question);
}

async function print(
  radius: BlastRadius,
  { warnings, findings, files }: Question,
  flags: ResolveFlags,
  terminal: Terminal,
): Promise<void> {
  const facts = radius.changed.flatMap(({ why }) => (why?.kind === "not-possible" ? why.explanation.facts : []));
  const placed = [...warnings, ...radius.hidden.perConstraint, ...radius.violating, ...facts];
  const shown = {
    radius,
    warnings,
    inputFindings: await reportedFindings({ findings, files }, flags.output),
    at: await positionsOf(placed, files),
  };
  const look = { output: flags.output, style: terminal.outStyle, width: terminal.outWidth };
  terminal.out(renderBlastRadius(shown, look));
  terminal.endPhase(() => `${printedText(flags)} for ${counted(radius.compared, "namespace")}`);
}

function printBugs(
  { bugs }: BlastRadius,
  problems: readonly Problem[],
  demands: ClusterDemands,
  terminal: Terminal,
): void {
  for (const { namespace, constraints, message } of bugs) {
    const problem = problems.find((one) => one.namespace === namespace) as Problem;
    printBug(constraints === "present" ? problem : proposedProblem(problem, demands), message, terminal);
  }
}

/** The exit codes that follow from a comparison. */
export function codesOf(
  { isReadable, isComplete, heldBack, refused, undecided, unproven, bugs }: BlastRadius,
  { requireProof }: Pick<ResolveFlags, "requireProof">,
): readonly ExitCode[] {
  return [
    ...(isReadable ? [] : [EXIT.invalidInput]),
    ...(!isComplete || undecided > 0 || (requireProof && unproven > 0) ? [EXIT.undecided] : []),
    ...(heldBack + refused > 0 ? [EXIT.no] : []),
    ...(bugs.length > 0 ? [EXIT.bug] : []),
  ];
}
