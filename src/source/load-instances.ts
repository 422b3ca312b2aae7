// Which objects of some kinds did the user give? Files, directories and standard input; objects of other kinds are skipped.

import { InstanceReader } from "../input/objects/instance-reader.ts";
import type { CustomResource } from "../model/custom-resource.ts";
import { type Finding, FindingList } from "../model/finding.ts";
import type { InputFiles } from "./input-files.ts";
import { filesOf } from "./load-objects.ts";

/** The objects by the key of their kind, their findings, and the paths that could not be read. */
export interface GivenInstances {
  readonly byKind: ReadonlyMap<string, readonly CustomResource[]>;
  readonly findings: readonly Finding[];
  readonly unreachable: readonly Finding[];
}

/** Reads the objects of the wanted kinds. */
export async function loadInstances(
  paths: readonly string[],
  wanted: ReadonlySet<string>,
  files: InputFiles,
): Promise<GivenInstances> {
  const { kept: findings, report } = new FindingList();
  const unreachable: Finding[] = [];
  const reader = new InstanceReader(wanted, report);
  for (const path of paths)
    for (const file of filesOf(path, report, unreachable))
      await files.read(file, (value, place) => reader.add(value, place, undefined), report);
  return { byKind: reader.finish(), findings, unreachable };
}
