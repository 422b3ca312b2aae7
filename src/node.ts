// What is in the library for Node? Reading catalogs and objects from files, for the calls of `plimsoll`.

import { DEFAULT_LIMITS, type Limits } from "./input/limits.ts";
import { locatedFindings, placesIn, withExactPlaces } from "./job/exact-places.ts";
import type { Answer } from "./job/render.ts";
import { type ReadObjects, withNames } from "./job/text-input.ts";
import { checkKeys, listOf, UsageError } from "./job/usage-error.ts";
import type { Catalog } from "./model/catalog.ts";
import type { Finding } from "./model/finding.ts";
import { type CatalogReference, notCatalogText, readCatalogReference } from "./source/catalog-reference.ts";
import { InputFiles } from "./source/input-files.ts";
import { loadCatalog } from "./source/load-catalog.ts";
import { loadObjects } from "./source/load-objects.ts";

/** A catalog of a path. */
export interface CatalogPath {
  /** The name of its CatalogSource. */
  readonly name: string;
  readonly path: string;
  /** The namespace of its CatalogSource; without one, it is for all namespaces. */
  readonly namespace?: string | undefined;
  /** 0 by default. */
  readonly priority?: number | undefined;
}

/** The files to read. */
export interface InputPaths {
  /**
   * Catalogs: `[[NAMESPACE/]NAME=]PATH[,priority=N]`, or the same as an object. A path is a file-based catalog (file or directory, also
   * `.gz`), a bundle directory, or a tree of bundle directories.
   */
  readonly catalogs?: readonly (string | CatalogPath)[] | undefined;
  /** Kubernetes objects: files and directories of YAML or JSON, also `.gz`. */
  readonly objects?: readonly string[] | undefined;
  /** The namespace of objects that name none; `default` if absent. */
  readonly namespace?: string | undefined;
  /** Names of objects whose absence matters, such as that of another ConfigMap of runtime constraints. */
  readonly names?: readonly string[] | undefined;
  /** Limits of sizes and depths, instead of the default ones. */
  readonly limits?: Partial<Limits> | undefined;
}

/** What was read: `resolve({ ...input, packages: ["etcd"] })`. */
export interface Input {
  readonly catalogs: readonly Catalog[];
  readonly objects: ReadObjects;
}

/** Some paths cannot be read at all. The message names each. */
export class LoadError extends Error {
  override readonly name = "LoadError";
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(
      findings
        .map(({ message, place, help }) => `${place.source}: ${message}${help === undefined ? "" : `; ${help}`}`)
        .join("\n"),
    );
    this.findings = findings;
  }
}

/**
 * Reads catalogs and objects. Mistakes in them are findings of the answers that they are used for; the valid parts are kept.
 *
 * Rejects with a `LoadError` if a path cannot be read, and with a `UsageError` if a catalog reference is malformed.
 */
export async function load(paths: InputPaths): Promise<Input> {
  checkKeys("load", paths, ["catalogs", "objects", "namespace", "names", "limits"]);
  const files = new InputFiles({ ...DEFAULT_LIMITS, ...paths.limits });
  const unreachable: Finding[] = [];
  const catalogs: Catalog[] = [];
  for (const reference of listOf("catalogs", paths.catalogs).map(referenceOf)) {
    const loaded = await loadCatalog(reference, files);
    if (loaded.kind === "loaded") catalogs.push(loaded.catalog);
    else unreachable.push(loaded.finding);
  }
  const read = await loadObjects(listOf("objects", paths.objects), files, paths.namespace, paths.names);
  unreachable.push(...read.unreachable);
  if (unreachable.length > 0) throw new LoadError(unreachable);
  const objects = { objects: read.objects, findings: read.findings };
  return { catalogs, objects: paths.names === undefined ? objects : withNames(objects, paths.names) };
}

function referenceOf(given: string | CatalogPath): CatalogReference {
  if (typeof given !== "string") {
    const { name, path, namespace, priority = 0 } = given;
    return { name, path, priority, ...(namespace !== undefined && { namespace }) };
  }
  const reference = readCatalogReference(given);
  if (typeof reference === "string") throw new UsageError(notCatalogText(given, reference));
  return reference;
}

/**
 * An answer with the exact line and column of everything in it, and the lines that findings are on. The files are read again,
 * only as far as needed.
 */
export async function locate<Located extends Answer>(answer: Located): Promise<Located> {
  const known = { positions: await new InputFiles(DEFAULT_LIMITS).locate(placesIn(answer)) };
  return withExactPlaces({ ...answer, findings: locatedFindings(answer.findings, known) }, known);
}
