// What do the catalogs of a run contain? Paths are read as files; everything else is read by the modules of remote sources, which
// only then are loaded.

import { type Catalog, countCatalog } from "../../model/catalog.ts";
import type { Finding } from "../../model/finding.ts";
import type { fetchObjects as FetchObjects } from "../../remote/bundle-objects.ts";
import type { loadRemote as LoadRemote } from "../../remote/load-remote.ts";
import type { Way, wayTo as WayTo } from "../../remote/way.ts";
import { partsText } from "../../render/finding/finding-text.ts";
import { type CatalogReference, locationOf } from "../../source/catalog-reference.ts";
import type { InputFiles } from "../../source/input-files.ts";
import { loadCatalog } from "../../source/load-catalog.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { progressOf } from "../progress.ts";
import { note } from "../question/usage-error.ts";
import type { ReadingOptions } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import type { SourceFlags } from "./options.ts";
import type { RunSetting } from "./remote-setting.ts";

/** Catalogs, and what is wrong with them. */
export interface LoadedCatalogs {
  readonly catalogs: Catalog[];
  readonly findings: Finding[];
  readonly codes: ExitCode[];
}

export function noCatalogs(): LoadedCatalogs {
  return { catalogs: [], findings: [], codes: [] };
}

/** A run's sources: the files that are open, and how things are said. */
export interface Reading {
  readonly flags: SourceFlags & ReadingOptions;
  readonly files: InputFiles;
  readonly terminal: Terminal;
}

/** Loads the catalogs that the command line names. */
export async function loadCatalogs(references: readonly CatalogReference[], reading: Reading): Promise<LoadedCatalogs> {
  const all = noCatalogs();
  let sources: RemoteSources | undefined;
  for (const reference of references) {
    const location = locationOf(reference.path);
    if (location === undefined) {
      const loaded = await loadCatalog(reference, reading.files);
      if (loaded.kind === "unreachable") miss(all, loaded.finding);
      else take(all, loaded.catalog, `${reference.name} (${reference.path})`, reading);
      continue;
    }
    sources ??= await remoteSources(reading);
    await loadByWays(all, { reference, ways: [sources.wayTo(location)] }, sources, reading);
  }
  return all;
}

/** The modules of remote sources, and how they are used. */
export interface RemoteSources {
  readonly loadRemote: typeof LoadRemote;
  readonly fetchObjects: typeof FetchObjects;
  readonly wayTo: typeof WayTo;
  readonly setting: RunSetting;
}

/** The sources of this run. */
export async function remoteSources(reading: Reading): Promise<RemoteSources> {
  const { settingFor, loadRemote, fetchObjects, wayTo } = await import("./remote-setting.ts");
  return { loadRemote, fetchObjects, wayTo, setting: await settingFor(reading) };
}

/** A catalog, and the ways in which it can be read. */
export interface Reachable {
  readonly reference: CatalogReference;
  readonly ways: readonly Way[];
  /** What to do if no way leads to it. */
  readonly help?: (wantsCredentials: boolean) => string;
}

/** Loads one catalog in the first way that leads to it. Returns how it was read. */
export async function loadByWays(
  all: LoadedCatalogs,
  { reference, ways, help }: Reachable,
  { loadRemote, setting }: RemoteSources,
  reading: Reading,
): Promise<string | undefined> {
  const { flags, terminal } = reading;
  const progress = progressOf(flags, terminal, `reading catalog ${reference.name}`);
  const shown = { onProgress: progress.arrived, registry: { ...setting.registry, onWait: progress.waiting } };
  const loaded = await loadRemote(reference, ways, reading.files, { ...setting, ...shown });
  progress.end();
  if (loaded.kind === "unreachable") {
    const { finding, wantsCredentials = false } = loaded;
    const helps = [finding.help, help?.(wantsCredentials)].flatMap((text) => text ?? []);
    miss(all, helps.length === 0 ? finding : { ...finding, help: helps.join("; or ") });
    return undefined;
  }
  take(all, loaded.catalog, `${reference.name} from ${loaded.way}`, reading);
  // A part of it is something that cannot be read, such as a device in an image.
  if (loaded.catalog.findings.some(({ code }) => code === "PL001")) all.codes.push(EXIT.unreachable);
  return loaded.way;
}

/** Says on standard error how a catalog of the cluster was read. */
export function sayWay(name: string, way: string, { flags, terminal }: Reading): void {
  if (!flags.quiet && !flags.verbose) note(`catalog ${name} was read from ${way}`, terminal);
}

function miss(all: LoadedCatalogs, finding: Finding): void {
  all.findings.push(finding);
  all.codes.push(EXIT.unreachable);
}

function take(all: LoadedCatalogs, catalog: Catalog, name: string, { terminal }: Reading): void {
  all.catalogs.push(catalog);
  all.findings.push(...catalog.findings);
  if (catalog.packages.size === 0) all.codes.push(EXIT.invalidInput);
  terminal.endPhase(() => `read catalog ${name}: ${catalogText(catalog)}`);
}

/** How many packages, channels and bundles a catalog has. */
export function catalogText(catalog: Catalog): string {
  return partsText({ packages: catalog.packages.size, ...countCatalog(catalog) }, true);
}
