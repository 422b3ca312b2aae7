// `plimsoll plan`: in which steps is every operator updated as far as possible, without breaking anything after any step?

import type { Command } from "commander";
import { commonWarnings, withWarnings } from "../../job/explained.ts";
import type { LockComparison } from "../../model/lock.ts";
import type { Place } from "../../model/place.ts";
import { CLUSTER_SCOPE, type Problem } from "../../model/problem.ts";
import { compareWithLock } from "../../plan/lock/compare-lock.ts";
import { makePlan } from "../../plan/make-plan.ts";
import type { Plan } from "../../plan/plan.ts";
import { safeText } from "../../render/kit/safe-text.ts";
import { manifestNotes } from "../../render/plan/manifest-notes.ts";
import { actionsShown, explanationsShown, renderPlans } from "../../render/plan/render-plan.ts";
import { openEnd } from "../../render/plan/shown.ts";
import { attentionSentence, COMPLETE_FORMATS } from "../../render/resolve/attention.ts";
import { scopeText } from "../../render/sentence/names.ts";
import { unknownText } from "../../render/sentence/warning.ts";
import { isAskedOfOlmV1 } from "../../resolve/olmv1/resolution.ts";
import { printNamedRequest } from "../../resolve/prepare/named-request.ts";
import type { NamedRequest } from "../../resolve/prepare/problem-inputs.ts";
import { unknownName } from "../../resolve/prepare/unknown-names.ts";
import { counted } from "../../text/words.ts";
import type { Chosen } from "../catalogs/fetch-bundles.ts";
import { deadline } from "../deadline.ts";
import { engineVersion } from "../engine-version.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { printedText, printFindings, reportedFindings } from "../inputs.ts";
import { namesCluster } from "../live/options.ts";
import { positionsOf } from "../positions.ts";
import { codesOf as codesOfAnswer, FORMATS_WITH_FACTS, placesOf, save } from "../question/answer-parts.ts";
import { askedCommand, fixCommands } from "../question/fix-command.ts";
import { pathAsPackage, wrongUsage } from "../question/flag-conflicts.ts";
import { loadQuestion, namedRequests, type Question } from "../question/load.ts";
import { codesOfLock, loadLock, printComparison, writeLock } from "../question/lock-file.ts";
import { printBug } from "../question/problem-file.ts";
import { isOfClusterScope, noManifestsText, note, refuse, restOf } from "../question/usage-error.ts";
import { shellText } from "../shell-text.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { NOT_AS_OLM_V1, type PlanFlags, planOptions, replayingPlan, wrongForPlan } from "./options.ts";

export { withPlanOptions as addFlags } from "./options.ts";

/** Runs the command; `command` is how its flags were read. */
export async function run(packages: readonly string[], flags: PlanFlags, command: Command): Promise<ExitCode> {
  const terminal = openTerminal(flags);
  const mistaken = pathAsPackage(packages, flags);
  if (mistaken !== undefined) return refuse(mistaken, terminal);
  const given = namedRequests([...packages, ...flags.add]);
  if (typeof given === "string") return refuse(given, terminal);
  const named = withTarget(given, flags);
  const wrong = wrongForPlan(flags) ?? wrongUsage(named.length > 0, flags);
  if (wrong !== undefined) return refuse(wrong, terminal);

  const question = await loadQuestion(named, flags, terminal, "plan", (problems) => chosenByPlan(problems, flags));
  const locked = flags.locked === undefined ? undefined : await loadLock(flags.locked, flags.maxDocumentBytes);
  if (locked !== undefined) terminal.endPhase(() => `read the lock file ${flags.locked}`);
  const findings = [...question.findings, ...(locked?.findings ?? [])];
  await printFindings({ ...question, findings }, flags, terminal, restOf(question));
  if (question.wrong !== undefined)
    return worstOf([...question.codes, refuse(question.wrong.message, terminal, question.wrong.code)]);
  const [problem] = question.problems;
  if (problem === undefined) return worstOf(question.codes);
  if (question.problems.some(isAskedOfOlmV1)) return refuse(NOT_AS_OLM_V1, terminal);
  if (isOfClusterScope(question) && MANIFESTS.has(flags.output)) return refuse(noManifestsText(flags.output), terminal);
  const unknown = flags.to === undefined ? undefined : unknownName(flags.to, problem);
  if (unknown !== undefined)
    return worstOf([...question.codes, refuse(`--to: ${unknownText(unknown)}`, terminal, EXIT.no)]);
  const saved = flags.saveProblem === undefined ? [] : save(flags.saveProblem, question.problems, terminal);
  if (saved.includes(EXIT.usage)) return EXIT.usage;
  // Restore the default SIGINT: the search is synchronous and would not see the event.
  process.removeAllListeners("SIGINT");
  const plans = made(question, flags, terminal);
  if (plans === undefined) return EXIT.bug;
  terminal.endPhase(() => plannedText(plans));
  const lock = locked?.lock && compareWithLock(locked.lock, question.problems, plans, engineVersion());
  await answer(plans, { ...question, findings }, lock, flags, terminal, command);
  return worstOf([
    ...question.codes,
    ...saved,
    ...(locked?.codes ?? []),
    ...(lock === undefined ? [] : codesOfLock(lock)),
    ...(flags.lock === undefined ? [] : lockAs(flags.lock, question.problems, plans, terminal)),
    ...plans.flatMap((plan) => codesOf(plan, flags)),
  ]);
}

/** Every operator that a plan installs or starts from. */
function chosenByPlan(problems: readonly Problem[], flags: PlanFlags): readonly Chosen[] {
  const running = problems.flatMap(({ installed }) =>
    installed.map(({ package: owner = "", name }) => ({ package: owner, name })),
  );
  const planned = makePlan(problems, planOptions(flags), deadline(flags.timeout)).flatMap(({ generations }) =>
    generations.flatMap(({ steps }) => steps.flatMap(({ changes }) => changes.flatMap(({ to }) => to ?? []))),
  );
  return [...running, ...planned];
}

/** Formats that OLM v0 has, and OLM v1 does not. */
const MANIFESTS: ReadonlySet<string> = new Set(["installplan", "subscriptions"]);

/** How kubectl is called for the cluster that the plan is about. */
function kubectlFor({ context, kubeconfig, as, asGroup = [] }: PlanFlags): string {
  const flags = [
    ...(kubeconfig === undefined ? [] : ["--kubeconfig", kubeconfig]),
    ...(context === undefined ? [] : ["--context", context]),
    ...(as === undefined ? [] : ["--as", as]),
    ...asGroup.flatMap((group) => ["--as-group", group]),
  ];
  return ["kubectl", ...flags].map(shellText).join(" ");
}

/** With --to and a catalog alone, the target is requested too, in any version. */
function withTarget(named: readonly NamedRequest[], flags: PlanFlags): readonly NamedRequest[] {
  const { to, filename, catalog, replay } = flags;
  const isAboutCluster = filename.length > 0 || catalog.length === 0 || namesCluster(flags);
  if (to === undefined || named.length > 0 || isAboutCluster || replay !== undefined) return named;
  return [{ package: to.package, catalog: to.catalog, channel: to.channel }];
}

/** Makes the plans, with the warnings about requests; returns undefined after reporting a bug. */
function made({ problems, warnings }: Question, flags: PlanFlags, terminal: Terminal): readonly Plan[] | undefined {
  const isList = flags.allNamespaces === true;
  const noticed = { warnings, isList, replaced: flags.instead.map((request) => request.package) };
  try {
    const { output } = flags;
    const options = {
      ...planOptions(flags),
      actions: actionsShown(output),
      kubectl: kubectlFor(flags),
      explanations: explanationsShown(output),
    };
    return makePlan(problems, options, deadline(flags.timeout)).map((plan, index) =>
      withWarnings(plan, problems[index] as Problem, noticed),
    );
  } catch (error) {
    const [problem, ...others] = problems;
    // A file holds one problem; with several namespaces, the command itself has to be reported.
    if (problem === undefined || others.length > 0) throw error;
    printBug(problem, error, terminal, replayingPlan(flags));
    return undefined;
  }
}

function plannedText(plans: readonly Plan[]): string {
  const generations = new Set(plans.flatMap((plan) => plan.generations.map(({ number }) => number))).size;
  const [only] = plans;
  const where =
    plans.length === 1 && only?.namespace === CLUSTER_SCOPE
      ? scopeText(CLUSTER_SCOPE)
      : counted(plans.length, "namespace");
  return `planned ${counted(generations, "generation")} in ${where}`;
}

/** Writes the lock; returns the exit codes of failures. */
function lockAs(
  path: string,
  problems: readonly Problem[],
  plans: readonly Plan[],
  terminal: Terminal,
): readonly ExitCode[] {
  const message = writeLock(path, problems, plans);
  return message === undefined ? [] : [refuse(message, terminal, EXIT.unreachable)];
}

/** Prints the plans, and how they differ from the lock. */
async function answer(
  plans: readonly Plan[],
  { problems, warnings, findings, files }: Question,
  lock: LockComparison | undefined,
  flags: PlanFlags,
  terminal: Terminal,
  parsed: Command,
): Promise<void> {
  const isList = flags.allNamespaces === true;
  const common = commonWarnings({ warnings, isList });
  const withFacts = FORMATS_WITH_FACTS.has(flags.output);
  const at = await positionsOf([...common, ...plans.flatMap((plan) => placesIn(plan, withFacts))], files);
  const command = fixCommands(askedCommand(parsed), problems);
  const inputFindings = await reportedFindings({ findings, files }, flags.output);
  const shown = { plans, isList, warnings: common, inputFindings, at, command, lock };
  const look = { output: flags.output, style: terminal.outStyle, width: terminal.outWidth };
  terminal.out(renderPlans(shown, look));
  terminal.endPhase(() => printedText(flags));
  if (lock !== undefined) printComparison(flags.locked ?? "", lock, flags.quiet === true, terminal);
  if (flags.quiet) return;
  for (const sentence of unshown(plans, flags)) note(sentence, terminal);
}

/** What a format that shows only steps leaves out. */
function unshown(plans: readonly Plan[], { output, to, maxGenerations }: PlanFlags): readonly string[] {
  if (COMPLETE_FORMATS.has(output)) return [];
  const ends = new Set(plans.map(({ end }) => end));
  const target = to === undefined ? "the target" : safeText(printNamedRequest(to));
  const more = attentionSentence(plans.map(openEnd), output);
  return [
    ...(ends.has("no-way") ? [`no safe path leads to ${target}; -o text says why`] : []),
    ...(ends.has("unread")
      ? [`no safe path to ${target} was found, but not everything could be read; -o text says why`]
      : []),
    ...(ends.has("generations")
      ? [
          `stopped at --max-generations ${maxGenerations}; ${to === undefined ? "more can move" : "a longer path may lead there"}`,
        ]
      : []),
    ...(ends.has("search") ? ["the plan is not complete: the search took too long"] : []),
    ...manifestNotes({ plans }, output),
    ...(more === undefined ? [] : [more]),
  ];
}

/** Everything in a plan that has a place in the input. */
function placesIn(
  { warnings, last, target }: Plan,
  withFacts: boolean,
): readonly { readonly place?: Place | undefined }[] {
  const facts = withFacts ? (target?.explanation?.facts ?? []) : [];
  return [...warnings, ...placesOf(last, withFacts), ...facts];
}

/** The exit codes that follow from a plan. */
export function codesOf(plan: Plan, flags: Pick<PlanFlags, "failOn" | "requireProof">): readonly ExitCode[] {
  const { end, proven } = plan;
  return [
    ...codesOfAnswer({ ...openEnd(plan), proven }, flags),
    ...(end === "generations" || end === "search" || end === "unread" ? [EXIT.undecided] : []),
    ...(end === "no-way" ? [EXIT.no] : []),
  ];
}
