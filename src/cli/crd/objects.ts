// Which objects of the compared kinds were given?

import type { GivenObjects } from "../../crd/check-definitions.ts";
import type { InputFiles } from "../../source/input-files.ts";
import { loadInstances } from "../../source/load-instances.ts";
import type { LoadedPart } from "./side.ts";

/** The objects of the wanted kinds, and the findings about the input. */
export interface LoadedInstances extends GivenObjects, LoadedPart {}

/** Reads the objects of the wanted kinds. */
export async function loadInstanceFiles(
  paths: readonly string[],
  wanted: ReadonlySet<string>,
  files: InputFiles,
): Promise<LoadedInstances> {
  const { byKind, findings, unreachable } = await loadInstances(paths, wanted, files);
  return {
    byKind,
    findings: [...findings, ...unreachable],
    isDamaged: unreachable.length > 0 || findings.some(({ dropped }) => dropped !== undefined),
    isUnreachable: unreachable.length > 0,
  };
}
