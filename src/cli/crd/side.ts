// Which CustomResourceDefinitions are on one side of a comparison? A file, standard input, a directory, or a bundle
// directory, whose ClusterServiceVersion says which versions its operator owns.

import { statSync } from "node:fs";
import { join } from "node:path";
import { type DefinitionSide, definitionSide } from "../../crd/pair-definitions.ts";
import type { Finding } from "../../model/finding.ts";
import { leadsOutside } from "../../source/directory-files.ts";
import { type InputFiles, STDIN } from "../../source/input-files.ts";
import { loadObjects } from "../../source/load-objects.ts";

/** What is known about any input of a comparison. */
export interface LoadedPart {
  readonly findings: readonly Finding[];
  /** It could not be reached at all. */
  readonly isUnreachable: boolean;
}

/** One side of a comparison. */
export interface Side extends DefinitionSide, LoadedPart {}

const MANIFESTS = "manifests";

/** Reads one side. */
export async function loadSide(path: string, files: InputFiles): Promise<Side> {
  const isBundle = path !== "-" && hasManifests(path);
  const { objects, findings, unreachable } = await loadObjects([isBundle ? join(path, MANIFESTS) : path], files);
  return {
    ...definitionSide(
      { path, kind: isBundle ? "bundle" : "files", source: path === "-" ? STDIN : path },
      objects,
      findings,
    ),
    findings: [...findings, ...unreachable],
    isUnreachable: unreachable.length > 0,
  };
}

function hasManifests(path: string): boolean {
  const manifests = join(path, MANIFESTS);
  try {
    return statSync(manifests).isDirectory() && !leadsOutside(path, manifests);
  } catch {
    return false;
  }
}
