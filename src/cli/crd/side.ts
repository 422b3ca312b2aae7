// Which CustomResourceDefinitions are on one side of a comparison? A file, standard input, a directory, or a bundle
// directory, whose ClusterServiceVersion says which versions its operator owns.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { DefinitionSide } from "../../crd/pair-definitions.ts";
import type { OwnedApi } from "../../crd/upgrade/owned-kinds.ts";
import type { Finding } from "../../model/finding.ts";
import type { InstalledOperator } from "../../model/installed-operator.ts";
import { inside, keyOf, wholeSource } from "../../model/place.ts";
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
  const rejected = objects.rejected.filter(({ kind }) => kind === "CustomResourceDefinition" || kind === "");
  const operators = objects.installedOperators;
  return {
    path,
    isBundle,
    definitions: objects.customResourceDefinitions,
    unusable: new Set(rejected.flatMap(({ name }) => name ?? [])),
    isDamaged: findings.some(isDamage) || rejected.some(({ name }) => name === undefined),
    owned: isBundle && operators.length > 0 ? operators.flatMap(ownedBy) : undefined,
    place: (isBundle ? operators[0]?.place : undefined) ?? wholeSource(path === "-" ? STDIN : path),
    findings: [...findings, ...unreachable],
    isUnreachable: unreachable.length > 0,
  };
}

/** A file or document that could not be read, and may contain a definition. */
function isDamage({ code, dropped }: Finding): boolean {
  return dropped !== undefined && (code <= "PL004" || code === "PL006");
}

function ownedBy({ name, place, customResourceDefinitions: { owned } }: InstalledOperator): readonly OwnedApi[] {
  return owned.map(({ group, version, kind, plural }) => ({
    group,
    version,
    kind,
    by: name,
    crd: `${plural}.${group}`,
    place: keyOf(inside(place, "spec", "customresourcedefinitions"), "owned"),
  }));
}

function hasManifests(path: string): boolean {
  const manifests = join(path, MANIFESTS);
  try {
    return statSync(manifests).isDirectory() && !leadsOutside(path, manifests);
  } catch {
    return false;
  }
}
