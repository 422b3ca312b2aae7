// What is wrong with catalogs and objects? `lint` of the library.

import { readRuntimeList } from "../input/objects/runtime-constraints.ts";
import { inputMistakes } from "../lint/input-mistakes.ts";
import { placementFinding } from "../render/sentence/placement-fault.ts";
import type { InputFinding } from "./exact-places.ts";
import { locating, type OperatorQuestion, readCatalogs } from "./question.ts";
import { readObjects, textsBehind } from "./text-input.ts";
import { TextSources } from "./text-sources.ts";
import { checkKeys } from "./usage-error.ts";

/** The answer of `lint`: plain data, the same after JSON. */
export interface LintAnswer {
  readonly kind: "lint";
  /** All findings, in the order of the input. */
  readonly findings: readonly InputFinding[];
}

/** Finds every mistake of catalogs and objects, also in constraints, runtime constraints and Placements. */
export function lint(input: Partial<Pick<OperatorQuestion, "catalogs" | "objects">>): LintAnswer {
  checkKeys("lint", input, ["catalogs", "objects"]);
  const catalogs = readCatalogs(input.catalogs ?? []);
  const read = readObjects(input.objects ?? []);
  const found = [...catalogs.flatMap((catalog) => catalog.findings), ...read.findings];
  const all = inputMistakes(
    { catalogs, objects: read.objects, findings: found },
    { readList: readRuntimeList, placementFinding },
  );
  const sources = new TextSources().addAll([...catalogs, read].map(textsBehind));
  return { kind: "lint", findings: locating(sources, all).findings };
}
