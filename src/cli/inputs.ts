// What did the user give to this run? Loads catalogs and objects, shows progress while it does, and tells what is wrong
// with them without losing what is right.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LIMITS, MAX_FINDINGS } from "../input/limits.ts";
import type { Catalog } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { compareFindings, type Finding } from "../model/finding.ts";
import { comparePlaces, type Place } from "../model/place.ts";
import { countText, findingText, type ShownFinding } from "../render/finding/finding-text.ts";
import { InputFiles } from "../source/input-files.ts";
import { loadCatalog } from "../source/load-catalog.ts";
import { loadObjects } from "../source/load-objects.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { Progress } from "./progress.ts";
import type { ReadingOptions, SharedOptions } from "./shared-options.ts";
import type { Terminal } from "./terminal.ts";

/** Everything that was loaded. */
export interface Inputs {
  readonly catalogs: readonly Catalog[];
  readonly objects: ClusterObjects;
  /** Everything that is wrong with the input, in the order of places. */
  readonly findings: readonly Finding[];
  /** The codes that the state of the input alone gives. */
  readonly codes: readonly ExitCode[];
  readonly files: InputFiles;
}

/**
 * Loads all inputs of a command. Objects that do not say their namespace are in `namespace`; objects of these `names` may be
 * meant in what cannot be read.
 */
export async function loadInputs(
  options: SharedOptions,
  terminal: Terminal,
  namespace?: string,
  names?: readonly string[],
): Promise<Inputs> {
  const paths = [...options.catalog.map((reference) => reference.path), ...options.filename];
  const { files, progress } = openFiles(paths, options, terminal);
  const catalogs: Catalog[] = [];
  const findings: Finding[] = [];
  const codes: ExitCode[] = [];
  for (const reference of options.catalog) {
    const loaded = await loadCatalog(reference, files);
    if (loaded.kind === "unreachable") {
      findings.push(loaded.finding);
      codes.push(EXIT.unreachable);
      continue;
    }
    catalogs.push(loaded.catalog);
    findings.push(...loaded.catalog.findings);
    if (loaded.catalog.packages.size === 0) codes.push(EXIT.invalidInput);
  }
  const { objects, findings: aboutObjects, unreachable } = await loadObjects(options.filename, files, namespace, names);
  findings.push(...aboutObjects, ...unreachable);
  if (unreachable.length > 0) codes.push(EXIT.unreachable);
  progress.end();
  if (options.strictInput && findings.some(isBroken)) codes.push(EXIT.invalidInput);
  return { catalogs, objects, findings: findings.sort(compareFindings), codes, files };
}

/** Whether something of the input is lost: what `--strict-input` does not allow. */
export function isBroken(finding: Finding): boolean {
  return finding.severity === "error" || finding.dropped !== undefined;
}

/** The files of a run, and a bar that shows how much of these paths has been read. */
export function openFiles(
  paths: readonly string[],
  options: ReadingOptions,
  terminal: Terminal,
): { readonly files: InputFiles; readonly progress: Progress } {
  const choice = options.quiet ? "none" : options.progress;
  const bytes = paths.reduce((sum, path) => sum + sizeOf(path, 0), 0);
  const progress = new Progress(terminal, choice, "reading", bytes);
  return {
    files: new InputFiles({ ...DEFAULT_LIMITS, maxDocumentBytes: options.maxDocumentBytes }, progress.add),
    progress,
  };
}

/** Findings with the lines they are about. */
export async function showFindings(findings: readonly Finding[], files: InputFiles): Promise<ShownFinding[]> {
  const spots = await files.spots(findings.map((finding) => finding.place));
  const shown = findings.map((finding) => ({ finding, spot: spots.get(finding.place) }));
  const at = ({ finding: { place }, spot }: ShownFinding): Place =>
    spot === undefined ? place : { source: place.source, line: spot.line, column: spot.column };
  return shown.sort((a, b) => comparePlaces(at(a), at(b)) || compareFindings(a.finding, b.finding));
}

/** The findings that a report for programs has: all errors and warnings. Other forms show them on standard error only. */
export async function reportedFindings(
  { findings, files }: Pick<Inputs, "findings" | "files">,
  output: string,
): Promise<readonly ShownFinding[]> {
  return output === "json" || output === "yaml" ? showFindings(findings.filter(isSerious), files) : [];
}

function isSerious({ severity }: Finding): boolean {
  return severity !== "info";
}

/**
 * Tells on standard error what is wrong with the input: errors and warnings, at most a hundred. `rest` says what becomes
 * of everything else.
 */
export async function tellFindings(
  inputs: Pick<Inputs, "findings" | "files">,
  options: ReadingOptions,
  terminal: Terminal,
  rest = "the rest is used",
): Promise<void> {
  const serious = inputs.findings.filter(isSerious);
  const told = (options.quiet ? serious.filter((finding) => finding.severity === "error") : serious).slice(
    0,
    MAX_FINDINGS,
  );
  for (const shown of await showFindings(told, inputs.files))
    terminal.err(`${findingText(shown, terminal.errStyle)}\n`);
  if (told.length === 0) return;
  const more = serious.length > told.length ? `; ${serious.length - told.length} more are not shown here` : "";
  terminal.err(`${countText(serious)} in the input${more}${options.strictInput ? "" : `; ${rest}`}\n`);
}

/** How many bytes a path has, files of directories included; for the progress bar only. */
function sizeOf(path: string, depth: number): number {
  try {
    const stats = lstatSync(path);
    if (!stats.isDirectory()) return stats.size;
    return depth > 8 ? 0 : readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name), depth + 1), 0);
  } catch {
    return 0;
  }
}
