// `plimsoll crd check`: is it safe to replace these CustomResourceDefinitions by those?

import { checkDefinitions, findingsToList, kindsOf, optionsWithoutEffect } from "../../crd/check-definitions.ts";
import { pairDefinitions } from "../../crd/pair-definitions.ts";
import type { CrdVerdict } from "../../crd/verdict.ts";
import { compareFindings, type Finding } from "../../model/finding.ts";
import { printJson } from "../../model/json.ts";
import { crdMarkdown } from "../../render/crd/markdown.ts";
import { crdGithub, crdReport, crdSarif } from "../../render/crd/report.ts";
import type { CrdCheck } from "../../render/crd/shown.ts";
import { crdText, unpairedText, withoutEffectText } from "../../render/crd/text.ts";
import { inFormat } from "../../render/kit/report-format.ts";
import { safeJson } from "../../render/kit/safe-text.ts";
import { counted } from "../../text/words.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { isBroken, openFiles, printedText, printFindings, reportedFindings, watchFiles } from "../inputs.ts";
import { namesCluster } from "../live/options.ts";
import { note, refuse } from "../question/usage-error.ts";
import { isStdinTwice, STDIN_TWICE } from "../shared-options.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { type ClusterSide, loadClusterSide } from "./cluster-side.ts";
import { loadInstanceFiles } from "./objects.ts";
import type { CrdOptions } from "./options.ts";
import { loadSettings } from "./settings.ts";
import { type LoadedPart, loadSide } from "./side.ts";

export { withCrdOptions as addFlags } from "./options.ts";

declare const PLIMSOLL_VERSION: string;

/** Runs the command. With a cluster, which has the old definitions, the only path is that of the new ones. */
export async function run(
  first: string | undefined,
  second: string | undefined,
  options: CrdOptions,
): Promise<ExitCode> {
  const terminal = openTerminal(options);
  const isLive = namesCluster(options);
  if (first === undefined || isLive === (second !== undefined))
    return refuse(
      isLive
        ? "the cluster has the old definitions; give the new ones, and nothing else: plimsoll crd check --live new.yaml"
        : "give the old and the new definitions: plimsoll crd check old.yaml new.yaml; or compare with a cluster: plimsoll crd check --live new.yaml",
      terminal,
    );
  const [oldPath, newPath] = second === undefined ? [undefined, first] : [first, second];
  const given = options.instances === false ? [] : options.instances;
  const paths = [
    ...(oldPath === undefined ? [] : [oldPath]),
    newPath,
    ...given,
    ...(options.crdSettings === undefined ? [] : [options.crdSettings]),
  ];
  if (isStdinTwice(paths)) return refuse(STDIN_TWICE, terminal);
  const { files, progress } = openFiles(paths, options, terminal);
  watchFiles(files, terminal);
  const settings = await loadSettings(options.crdSettings, files);
  const before = oldPath === undefined ? undefined : await loadSide(oldPath, files);
  const now = await loadSide(newPath, files);
  progress.end();
  const cluster = before === undefined ? await loadClusterSide(now, options, terminal) : undefined;
  const old = before ?? (cluster as ClusterSide).old;
  const paired = pairDefinitions(old, now);
  const pairs = paired.kind === "paired" ? paired.pairs : [];
  const instances = cluster?.instances ?? (await loadInstanceFiles(given, new Set(kindsOf(pairs).keys()), files));
  progress.end();

  const findings = [old, now, instances, settings].flatMap((input) => input.findings).sort(compareFindings);
  const rest = paired.kind === "paired" ? "the rest is compared" : "nothing is compared";
  await printFindings({ findings, files }, options, terminal, rest);
  const codes = codesOf([old, now, instances, settings], findings, options);
  if (settings.findings.length > 0 && !settings.isUnreachable) codes.push(EXIT.invalidInput);
  if (paired.kind !== "paired") {
    const isReported = old.isUnreachable || now.isUnreachable;
    const code = isReported ? EXIT.unreachable : refuse(unpairedText(paired), terminal, EXIT.invalidInput);
    return worstOf([...codes, code]);
  }
  const objects = cluster?.instances ?? (given.length === 0 ? undefined : instances);
  if (!options.quiet)
    for (const without of optionsWithoutEffect(pairs, {
      ...options,
      objects: cluster === undefined ? objects : undefined,
    }))
      note(withoutEffectText(without), terminal);

  const { findings: all, ...check } = checkDefinitions(paired, {
    ...options,
    owners: options.owners ?? cluster?.owners ?? 1,
    now,
    objects,
    compat: options.compat === "olm",
    severities: settings.choices,
  });
  terminal.endPhase(
    () => `compared ${counted(check.definitions.length, "definition")}: ${counted(all.length, "finding")}`,
  );
  const review = { now, isStream: ({ source }: { source: string }) => files.isStream(source) };
  const listed = findingsToList(all, pairs, isForReview(options) ? review : undefined);
  const spots = await files.locate(listed.map(({ place }) => place));
  const write = options.output === "github" ? terminal.commands : terminal.out;
  const shown: CrdCheck = {
    ...check,
    listed: listed.map((finding) => {
      const spot = spots.get(finding.place);
      return { finding, ...(spot && { spot }) };
    }),
    inputFindings: await reportedFindings({ findings, files }, options.output),
  };
  write(render(shown, options, terminal));
  terminal.endPhase(() => printedText(options));
  return worstOf([...codes, ...notComparedCodes(check, cluster), EXIT_OF[check.verdict]]);
}

/** Definitions of a cluster that could not be read are not invalid; that has its own exit code. */
function notComparedCodes(
  { notCompared }: Pick<CrdCheck, "notCompared">,
  cluster: ClusterSide | undefined,
): ExitCode[] {
  return notCompared.length > 0 && cluster?.old.isUnreachable !== true ? [EXIT.invalidInput] : [];
}

const EXIT_OF: Readonly<Record<CrdVerdict, ExitCode>> = {
  safe: EXIT.yes,
  unsafe: EXIT.no,
  undecided: EXIT.undecided,
};

/** The exit codes that follow from the input alone. */
function codesOf(inputs: readonly LoadedPart[], findings: readonly Finding[], options: CrdOptions): ExitCode[] {
  const codes: ExitCode[] = [];
  if (inputs.some((input) => input.isUnreachable)) codes.push(EXIT.unreachable);
  if (options.strictInput && findings.some(isBroken)) codes.push(EXIT.invalidInput);
  return codes;
}

/** Formats that are shown on the lines of a pull request, which contains the new side only. */
function isForReview({ output }: CrdOptions): boolean {
  return output === "sarif" || output === "github";
}

function render(check: CrdCheck, { output }: CrdOptions, terminal: Terminal): string {
  return inFormat(output, () => crdReport(check), {
    text: () => crdText(check, terminal.outStyle),
    sarif: () => `${safeJson(printJson(crdSarif(check, PLIMSOLL_VERSION)))}\n`,
    github: () => crdGithub(check),
    markdown: () => crdMarkdown(check),
  });
}
