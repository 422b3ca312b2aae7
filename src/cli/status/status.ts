// `plimsoll status`: what do the Resolutions of a cluster say, in one table?

import { type ResolutionAdvice, verdictOf } from "../../model/resolution-advice.ts";
import { renderStatus } from "../../render/status/render-status.ts";
import { summaryText } from "../../render/status/text.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { printedText, printFindings, reportedFindings } from "../inputs.ts";
import { note, refuse } from "../question/usage-error.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { loadStatusFiles, SHOWN_AS_UNKNOWN, type StatusInputs } from "./inputs.ts";
import { commandsFor } from "./more.ts";
import { type StatusFlags, wrongForStatus } from "./options.ts";

export { withStatusOptions as addFlags } from "./options.ts";

/** Runs the command. */
export async function run(flags: StatusFlags): Promise<ExitCode> {
  const terminal = openTerminal(flags);
  const wrong = wrongForStatus(flags);
  if (wrong !== undefined) return refuse(wrong, terminal);
  if (flags.filename.length > 0) return answer(await loadStatusFiles(flags, terminal), flags, terminal);
  const { loadStatusCluster, watchStatusCluster } = await import("./cluster.ts");
  if (flags.watch) return watchStatusCluster(flags, terminal);
  const inputs = await loadStatusCluster(flags, terminal);
  return typeof inputs === "number" ? inputs : answer(inputs, flags, terminal);
}

/** Prints the answer; returns the exit code. */
async function answer(inputs: StatusInputs, flags: StatusFlags, terminal: Terminal): Promise<ExitCode> {
  const { resolutions } = inputs;
  await printFindings(inputs, flags, terminal, SHOWN_AS_UNKNOWN);
  if (resolutions.length === 0) note(inputs.none, terminal);
  const look = { output: flags.output, style: terminal.outStyle, width: terminal.outWidth };
  const inputFindings = await reportedFindings(inputs, flags.output);
  terminal.out(renderStatus({ resolutions, inputFindings, more: commandsFor(resolutions, flags) }, look));
  terminal.endPhase(() => printedText(flags));
  // Names alone do not say what they are about.
  if (flags.output === "name" && !flags.quiet && resolutions.length > 0) note(summaryText(resolutions), terminal);
  return worstOf([...inputs.codes, ...resolutions.flatMap((one) => codesOf(one, flags))]);
}

/** The exit codes that follow from one Resolution. */
export function codesOf(resolution: ResolutionAdvice, { failOn }: Pick<StatusFlags, "failOn">): readonly ExitCode[] {
  const { isRefused, isHeldBack, isUnknown } = verdictOf(resolution);
  const isHeldBackBad = failOn === "held-back";
  return [
    ...(isUnknown || (isHeldBackBad && isHeldBack === undefined) ? [EXIT.undecided] : []),
    ...(isRefused || (isHeldBackBad && isHeldBack) ? [EXIT.no] : []),
  ];
}
