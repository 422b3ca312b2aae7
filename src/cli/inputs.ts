// Which catalogs and objects does a command read? Loads them with a progress bar and prints their findings.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { CatalogIdentity } from "../input/catalog/catalog-builder.ts";
import { DEFAULT_LIMITS, MAX_FINDINGS, printBytes } from "../input/limits.ts";
import { ObjectsReader } from "../input/objects/read-objects.ts";
import type { CatalogsOf } from "../live/questions.ts";
import type { ClusterQuestion } from "../live/read-cluster.ts";
import type { Catalog, Property } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { compareFindings, type Finding, losesObjects } from "../model/finding.ts";
import { comparePlaces, type Place } from "../model/place.ts";
import { countText, findingText, type ShownFinding } from "../render/finding/finding-text.ts";
import { InputFiles } from "../source/input-files.ts";
import { readObjects } from "../source/load-objects.ts";
import { counted } from "../text/words.ts";
import { loadCatalogs } from "./catalogs/load-catalogs.ts";
import type { RunSetting } from "./catalogs/remote-setting.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { OpenedCluster } from "./live/load-cluster.ts";
import { namesCluster } from "./live/options.ts";
import { type Progress, progressOf } from "./progress.ts";
import type { ReadingOptions, SharedOptions } from "./shared-options.ts";
import type { Terminal } from "./terminal.ts";

/** Everything that was loaded. */
export interface Inputs {
  readonly catalogs: readonly Catalog[];
  /** The catalogs that were to be read, also those that could not be. */
  readonly references: readonly CatalogIdentity[];
  /** How the images of the cluster are read; undefined if its catalogs were not. */
  readonly setting?: RunSetting;
  readonly objects: ClusterObjects;
  /** Everything that is wrong with the input, in the order of places. */
  readonly findings: readonly Finding[];
  /** The exit codes that follow from the input alone. */
  readonly codes: readonly ExitCode[];
  readonly files: InputFiles;
  /** The cluster that was read. */
  readonly cluster?: { readonly namespace: string | undefined; readonly properties: readonly Property[] };
  /** Why the cluster that is read by default was not. */
  readonly missingCluster?: string;
}

/** What a command needs from its inputs. */
export interface Wanted {
  /** The namespace of objects that state none. */
  readonly namespace?: string | undefined;
  /** Names that are searched in text that cannot be read. */
  readonly names?: readonly string[];
  /** What is read from a cluster; nothing if the command reads none. */
  readonly cluster?: ((catalogsOf: CatalogsOf) => ClusterQuestion) | undefined;
  /** Only ClusterExtensions are in question. */
  readonly isOfClusterScope?: boolean;
  /** A cluster is read if nothing else is given. */
  readonly isClusterDefault?: boolean;
  /** The catalogs of the cluster are read if no other is given. */
  readonly wantsCatalogs?: boolean;
}

/** Loads all inputs of a command. */
export async function loadInputs(options: SharedOptions, terminal: Terminal, wanted: Wanted = {}): Promise<Inputs> {
  const paths = [...options.catalog.map((reference) => reference.path), ...options.filename];
  const { files, progress } = openFiles(paths, options, terminal);
  const reading = { flags: options, files, terminal };
  const loaded = await loadCatalogs(options.catalog, reading);
  watchFiles(files, terminal);
  progress.end();
  const opened = await openedCluster(options, wanted);
  if (opened !== undefined && "missing" in opened)
    return {
      ...NOTHING,
      files,
      catalogs: loaded.catalogs,
      references: options.catalog,
      missingCluster: opened.missing,
    };
  const given = await readObjects(options.filename, files, wanted.namespace ?? opened?.namespace, wanted.names);
  const own = wanted.wantsCatalogs && options.catalog.length === 0 ? reading : undefined;
  const cluster =
    opened &&
    wanted.cluster &&
    (await opened.read(
      wanted.cluster,
      {
        above: given.reader,
        loaded,
        own,
        namespace: wanted.namespace,
        isOfClusterScope: wanted.isOfClusterScope === true,
      },
      options,
      terminal,
    ));
  for (const [source, object] of cluster?.texts ?? []) files.keepObject(source, object);
  given.reader.addBelow(cluster?.parts ?? []);
  const objects = given.reader.finish();
  const { catalogs, codes } = loaded;
  const findings = [...loaded.findings, ...given.findings, ...given.unreachable, ...(cluster?.findings ?? [])];
  codes.push(...(cluster?.codes ?? []));
  if (given.unreachable.length > 0) codes.push(EXIT.unreachable);
  // What a file was to change in the cluster is unknown, and the answer is about the cluster without it.
  if (cluster !== undefined && given.findings.some(losesObjects)) codes.push(EXIT.invalidInput);
  progress.end();
  if (options.strictInput && findings.some(isBroken)) codes.push(EXIT.invalidInput);
  return {
    ...{ catalogs, objects, findings: findings.sort(compareFindings), codes, files },
    references: [...options.catalog, ...(cluster?.own.references ?? [])],
    ...(cluster?.own.setting && { setting: cluster.own.setting }),
    ...(cluster && { cluster: { namespace: cluster.namespace, properties: cluster.properties(objects) } }),
  };
}

const NOTHING: Pick<Inputs, "objects" | "findings" | "codes"> = {
  objects: new ObjectsReader(() => {}).finish(),
  findings: [],
  codes: [],
};

/** The cluster that the flags name, or that is the default; undefined if none is. Only then the client is loaded. */
async function openedCluster(
  options: SharedOptions,
  { cluster, isClusterDefault = false }: Wanted,
): Promise<OpenedCluster | { readonly missing: string } | undefined> {
  const isNamed = namesCluster(options);
  const isOnly = isClusterDefault && options.filename.length + options.catalog.length === 0;
  if (cluster === undefined || !(isNamed || isOnly)) return undefined;
  const { openCluster } = await import("./live/load-cluster.ts");
  return openCluster(options, !isNamed);
}

/** With -v, reports each file that is read from now on. */
export function watchFiles(files: InputFiles, terminal: Terminal): void {
  files.watch(({ name, documents, bytes }) =>
    terminal.endPhase(() => `read ${name}: ${counted(documents, "document")}, ${printBytes(bytes)}`),
  );
}

/** The last phase of a command. */
export function printedText({ output }: Pick<ReadingOptions, "output">): string {
  return `printed the answer (-o ${output})`;
}

/** Whether some input is lost, which `--strict-input` does not allow. */
export function isBroken(finding: Finding): boolean {
  return finding.severity === "error" || finding.dropped !== undefined;
}

/** The files of a run, and a bar for the bytes read of these paths. */
export function openFiles(
  paths: readonly string[],
  options: ReadingOptions,
  terminal: Terminal,
): { readonly files: InputFiles; readonly progress: Progress } {
  const progress = progressOf(options, terminal, "reading", () => inputBytes(paths));
  return {
    files: new InputFiles({ ...DEFAULT_LIMITS, maxDocumentBytes: options.maxDocumentBytes }, progress.add),
    progress,
  };
}

/** Findings with their lines of the input. */
export async function showFindings(findings: readonly Finding[], files: InputFiles): Promise<ShownFinding[]> {
  const spots = await files.locate(findings.map((finding) => finding.place));
  const shown = findings.map((finding) => ({ finding, spot: spots.get(finding.place) }));
  const at = ({ finding: { place }, spot }: ShownFinding): Place =>
    spot === undefined ? place : { source: place.source, line: spot.line, column: spot.column };
  return shown.sort((a, b) => comparePlaces(at(a), at(b)) || compareFindings(a.finding, b.finding));
}

/** The findings of a report for programs: all errors and warnings. Other formats show them on standard error only. */
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
 * Prints the errors and warnings about the input to standard error, at most a hundred. `rest` says what happens to the
 * valid input.
 */
export async function printFindings(
  inputs: Pick<Inputs, "findings" | "files">,
  options: ReadingOptions,
  terminal: Terminal,
  rest = "the rest is used",
): Promise<void> {
  const serious = inputs.findings.filter(isSerious);
  const shown = (options.quiet ? serious.filter((finding) => finding.severity === "error") : serious).slice(
    0,
    MAX_FINDINGS,
  );
  for (const one of await showFindings(shown, inputs.files)) terminal.err(`${findingText(one, terminal.errStyle)}\n`);
  if (shown.length === 0) return;
  const more = serious.length > shown.length ? `; ${serious.length - shown.length} more are not shown here` : "";
  terminal.err(`${countText(serious)} in the input${more}${options.strictInput ? "" : `; ${rest}`}\n`);
  terminal.endPhase(() => `located ${counted(shown.length, "finding")} about the input`);
}

/** The size of all files, as far as it is known before they are read. */
export function inputBytes(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + sizeOf(path, 0), 0);
}

/** The size of a file, or of all files of a directory. */
function sizeOf(path: string, depth: number): number {
  try {
    const stats = lstatSync(path);
    if (!stats.isDirectory()) return stats.size;
    return depth > 8 ? 0 : readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name), depth + 1), 0);
  } catch {
    return 0;
  }
}
