// Which mistakes does the input have? Those found while it was read, and those that `resolve`, `cel check` and `place` would
// report: in constraints, in runtime constraints and in Placements.

import { constraintFindings } from "../constraint/constraint-findings.ts";
import { ConstraintReader, constraintOptions } from "../constraint/read-requirements.ts";
import type { Catalog } from "../model/catalog.ts";
import type { ClusterObjects } from "../model/cluster-objects.ts";
import { RUNTIME_CONFIG_MAP } from "../model/config-map.ts";
import { compareFindings, type Finding } from "../model/finding.ts";
import type { Placement } from "../model/placement.ts";
import { DEFAULT_OPTIONS } from "../model/problem.ts";
import { placementMistakes, withoutOwnFields } from "../placement/placement-findings.ts";
import type { Mistake } from "../placement/placement-result.ts";
import type { ReadList } from "../resolve/prepare/problem-inputs.ts";
import { listFindings } from "../resolve/prepare/runtime-constraints.ts";

/** The input as it was read. */
export interface LintedInput {
  readonly catalogs: readonly Catalog[];
  readonly objects: ClusterObjects;
  readonly findings: readonly Finding[];
}

/** How the texts of runtime constraints are read, and how a mistake of a Placement becomes a finding. */
export interface LintReaders {
  readonly readList: ReadList;
  readonly placementFinding: (placement: Placement, mistake: Mistake) => Finding;
}

/** All findings, in the order of the input. */
export function inputMistakes(
  { catalogs, objects, findings }: LintedInput,
  { readList, placementFinding }: LintReaders,
): readonly Finding[] {
  const reader = new ConstraintReader(constraintOptions(DEFAULT_OPTIONS));
  const runtime = objects.configMaps.filter(({ name }) => name === RUNTIME_CONFIG_MAP.name);
  return [
    ...withoutOwnFields(findings, objects.placements),
    ...constraintFindings(catalogs, objects.installedOperators, reader),
    ...runtime.flatMap((map) => listFindings(map, readList, reader)),
    ...objects.placements.flatMap((placement) =>
      placementMistakes(placement).map((mistake) => placementFinding(placement, mistake)),
    ),
  ].sort(compareFindings);
}
