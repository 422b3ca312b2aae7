// `plimsoll crd check`: is it safe to put these CustomResourceDefinitions in the place of those?

import { checkUpgrade } from "../../crd/check-upgrade.ts";
import type { CrdFinding } from "../../crd/finding.ts";
import { type CheckedDefinition, checkedDefinition, countSeverities } from "../../crd/report.ts";
import type { SeverityChoices } from "../../crd/upgrade/circumstances.ts";
import { checkOwned } from "../../crd/upgrade/owned-kinds.ts";
import { recordedVersions } from "../../crd/upgrade/version-changes.ts";
import { type CrdVerdict, verdictOf } from "../../crd/verdict.ts";
import { type Gvk, kindKey } from "../../model/catalog.ts";
import type { CustomResource } from "../../model/custom-resource.ts";
import { compareFindings, type Finding } from "../../model/finding.ts";
import { printJson } from "../../model/json.ts";
import { crdMarkdown } from "../../render/crd/markdown.ts";
import { crdGithub, crdReport, crdSarif } from "../../render/crd/report.ts";
import type { CrdCheck } from "../../render/crd/shown.ts";
import { crdText } from "../../render/crd/text.ts";
import { inForm } from "../../render/kit/report-form.ts";
import { safeJson, safeText } from "../../render/kit/safe-text.ts";
import type { InputFiles } from "../../source/input-files.ts";
import { EXIT, type ExitCode, worstOf } from "../exit-code.ts";
import { isBroken, openFiles, printFindings, reportedFindings } from "../inputs.ts";
import { refuse } from "../question/usage-error.ts";
import { openTerminal, type Terminal } from "../terminal.ts";
import { listFindings } from "./listed.ts";
import { type LoadedInstances, loadInstances } from "./objects.ts";
import type { CrdOptions } from "./options.ts";
import { type DefinitionPair, type Pairs, pairDefinitions } from "./pairs.ts";
import { loadSettings } from "./settings.ts";
import { loadSide, type Side } from "./side.ts";

declare const PLIMSOLL_VERSION: string;

/** Runs the command. */
export async function runCrdCheck(oldPath: string, newPath: string, options: CrdOptions): Promise<ExitCode> {
  const terminal = openTerminal(options.color);
  const paths = [
    oldPath,
    newPath,
    ...options.instances,
    ...(options.crdSettings === undefined ? [] : [options.crdSettings]),
  ];
  if (paths.filter((path) => path === "-").length > 1)
    return refuse("standard input (-) can be given only once.", terminal, EXIT.usage);
  const { files, progress } = openFiles(paths, options, terminal);
  const settings = await loadSettings(options.crdSettings, files);
  const old = await loadSide(oldPath, files);
  const now = await loadSide(newPath, files);
  const paired = pairDefinitions(old, now);
  const pairs: Pairs = typeof paired === "string" ? { pairs: [], notCompared: [] } : paired;
  const instances = await loadInstances(options.instances, new Set(kindsOf(pairs.pairs).keys()), files);
  progress.end();

  const findings = [old, now, instances, settings].flatMap((input) => input.findings).sort(compareFindings);
  const rest = typeof paired === "string" ? "nothing is compared" : "the rest is compared";
  await printFindings({ findings, files }, options, terminal, rest);
  const codes = codesOf([old, now, instances, settings], findings, options);
  if (settings.findings.length > 0 && !settings.isUnreachable) codes.push(EXIT.invalidInput);
  if (typeof paired === "string") {
    const isSaid = old.isUnreachable || now.isUnreachable;
    return worstOf([...codes, isSaid ? EXIT.unreachable : refuse(paired, terminal, EXIT.invalidInput)]);
  }
  if (!options.quiet)
    for (const note of notes(pairs, instances, options)) terminal.err(`plimsoll: ${safeText(note)}\n`);

  const check = await checkPairs(pairs, now, instances, settings.choices, options, files);
  const write = options.output === "github" ? terminal.commands : terminal.out;
  const inputFindings = await reportedFindings({ findings, files }, options.output);
  write(render({ ...check, inputFindings }, options, terminal));
  return worstOf([...codes, check.notCompared.length > 0 ? EXIT.invalidInput : EXIT.yes, EXIT_OF[check.verdict]]);
}

const EXIT_OF: Readonly<Record<CrdVerdict, ExitCode>> = {
  safe: EXIT.yes,
  unsafe: EXIT.no,
  undecided: EXIT.undecided,
};

/** The codes that the state of the input alone gives. */
function codesOf(
  inputs: readonly { readonly isUnreachable: boolean }[],
  findings: readonly Finding[],
  options: CrdOptions,
): ExitCode[] {
  const codes: ExitCode[] = [];
  if (inputs.some((input) => input.isUnreachable)) codes.push(EXIT.unreachable);
  if (options.strictInput && findings.some(isBroken)) codes.push(EXIT.invalidInput);
  return codes;
}

/** The kinds of some pairs, by `kindKey`; one that was renamed has both names. */
function kindsOf(pairs: readonly DefinitionPair[]): ReadonlyMap<string, Pick<Gvk, "group" | "kind">> {
  const kinds = pairs.flatMap(({ before, after }) => [before, after].filter((one) => one !== undefined));
  return new Map(kinds.map((one) => [kindKey(one), one]));
}

/** What was given and means nothing here. */
function notes({ pairs }: Pairs, { byKind, isDamaged }: LoadedInstances, options: CrdOptions): string[] {
  const said: string[] = [];
  const kinds = kindsOf(pairs);
  if (options.instances.length > 0)
    for (const [key, { group, kind }] of kinds) {
      if ((byKind.get(key)?.length ?? 0) > 0) continue;
      said.push(`--instances has no ${kind} of ${group}${isDamaged ? "" : ": it is checked as if there were none"}.`);
    }
  for (const { group, version, kind } of options.requires) {
    const versions = versionsOf(pairs, kindKey({ group, kind }));
    if (versions.length === 0)
      said.push(`--requires ${group}/${version}/${kind} is of no definition that is compared.`);
    else if (!versions.includes(version))
      said.push(
        `--requires ${group}/${version}/${kind} is a version that neither side has; ${kind} has ${versions.join(", ")}.`,
      );
  }
  const known = new Set(pairs.flatMap(({ before }) => before?.versions.map(({ name }) => name) ?? []));
  for (const version of options.stored)
    if (!known.has(version)) said.push(`--stored ${version} is a version of no old definition.`);
  return said;
}

/** The versions of a kind on either side. */
function versionsOf(pairs: readonly DefinitionPair[], key: string): readonly string[] {
  const sides = pairs.flatMap(({ before, after }) => [after, before].filter((one) => one !== undefined));
  return [...new Set(sides.filter((one) => kindKey(one) === key).flatMap(({ versions }) => versions.map(nameOf)))];
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

async function checkPairs(
  { pairs, notCompared }: Pairs,
  now: Side,
  instances: LoadedInstances,
  severities: SeverityChoices,
  options: CrdOptions,
  files: InputFiles,
): Promise<CrdCheck> {
  const definitions: CheckedDefinition[] = [];
  const all: CrdFinding[] = [];
  for (const pair of pairs) {
    const objects = objectsOf(pair, instances, options);
    const stored = storedOf(pair, pairs.length, options.stored);
    definitions.push(
      checkedDefinition(pair.name, pair.before, pair.after, {
        owners: options.owners,
        objects: objects?.length,
        stored: pair.before && recordedVersions(pair.before, stored),
      }),
    );
    const found = checkUpgrade(pair.before, pair.after, {
      owners: options.owners,
      stored,
      objects,
      isPartial: instances.isDamaged,
      requiredBy: [],
      demanded: options.requires,
      ownedBy: [],
      owned: now.owned,
      compat: options.compat === "olm",
      severities,
      celCostLimit: options.celCostLimit,
    });
    for (const finding of found) all.push(finding);
  }
  for (const finding of ownedKinds(now, severities)) all.push(finding);
  return {
    definitions,
    notCompared,
    verdict: verdictOf(all, options.failOn, notCompared.length === 0),
    failOn: options.failOn,
    listed: await listFindings(all, pairs, isForReview(options) ? now : undefined, files),
    counts: countSeverities(all),
  };
}

/** Kinds that the new bundle owns without a definition; those that may be there, but could not be read, are left out. */
function ownedKinds(
  { owned, definitions, unusable, isDamaged }: Side,
  severities: SeverityChoices,
): readonly CrdFinding[] {
  if (owned === undefined || isDamaged) return [];
  const readable = owned.filter(({ crd }) => !unusable.has(crd));
  return checkOwned(readable, definitions, severities);
}

/**
 * The objects of a definition; a kind that was renamed has those of both names. Nothing where they are not known: none
 * were asked for, or none were found and something could not be read.
 */
function objectsOf(
  pair: DefinitionPair,
  instances: LoadedInstances,
  { instances: paths }: CrdOptions,
): readonly CustomResource[] | undefined {
  if (paths.length === 0) return undefined;
  const objects = [...kindsOf([pair]).keys()].flatMap((key) => instances.byKind.get(key) ?? []);
  return objects.length === 0 && instances.isDamaged ? undefined : objects;
}

/** Of several definitions, each has only some of the versions that were named; what has none of them is as its status says. */
function storedOf({ before }: DefinitionPair, count: number, stored: readonly string[]): readonly string[] | undefined {
  if (stored.length === 0) return undefined;
  if (count === 1) return stored;
  const known = new Set([...(before?.storedVersions ?? []), ...(before?.versions.map(({ name }) => name) ?? [])]);
  const own = stored.filter((version) => known.has(version));
  return own.length === 0 ? undefined : own;
}

/** Forms that are shown beside the lines of a pull request, which has the new side only. */
function isForReview({ output }: CrdOptions): boolean {
  return output === "sarif" || output === "github";
}

function render(check: CrdCheck, { output }: CrdOptions, terminal: Terminal): string {
  switch (output) {
    case "sarif":
      return `${safeJson(printJson(crdSarif(check, PLIMSOLL_VERSION)))}\n`;
    case "github":
      return crdGithub(check);
    case "markdown":
      return crdMarkdown(check);
    default:
      return inForm(
        output,
        () => crdReport(check),
        () => crdText(check, terminal.outStyle),
      );
  }
}
