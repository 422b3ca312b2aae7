// Which objects of the compared kinds were given?

import type { GivenObjects } from "../../crd/check-definitions.ts";
import { InstanceReader } from "../../input/objects/instance-reader.ts";
import { type Finding, FindingList } from "../../model/finding.ts";
import type { InputFiles } from "../../source/input-files.ts";
import { filesOf } from "../../source/load-objects.ts";
import type { LoadedPart } from "./side.ts";

/** The objects of the wanted kinds, and the findings about the input. */
export interface LoadedInstances extends GivenObjects, LoadedPart {}

/** Reads the objects of the wanted kinds. */
export async function loadInstances(
  paths: readonly string[],
  wanted: ReadonlySet<string>,
  files: InputFiles,
): Promise<LoadedInstances> {
  const { kept, report } = new FindingList();
  const unreachable: Finding[] = [];
  const reader = new InstanceReader(wanted, report);
  for (const path of paths)
    for (const file of filesOf(path, report, unreachable))
      await files.read(file, (value, place) => reader.add(value, place, undefined), report);
  const byKind = reader.finish();
  return {
    byKind,
    findings: [...kept, ...unreachable],
    isDamaged: unreachable.length > 0 || kept.some(({ dropped }) => dropped !== undefined),
    isUnreachable: unreachable.length > 0,
  };
}
