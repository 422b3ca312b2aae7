// The answer to a Placement with its clusters, and its mistakes in words, for tests.

import type { PlacementEngine } from "../../src/placement/engine.ts";
import type { Mistake, PlacementDecisions, PlacementResult } from "../../src/placement/placement-result.ts";
import { faultText } from "../../src/render/sentence/placement-fault.ts";

/** An answer with its lists of clusters. */
export interface PlacementAnswer extends PlacementResult, PlacementDecisions {}

/** The answer and the lists of clusters; undefined if the Placement does not exist. */
export function answerOf(
  engine: Pick<PlacementEngine, "result" | "decisions">,
  key: string,
): PlacementAnswer | undefined {
  const result = engine.result(key);
  const decisions = engine.decisions(key);
  return result && decisions && { ...result, ...decisions };
}

/** The mistakes with their messages and hints. */
export function inWords(
  mistakes: readonly Mistake[],
): readonly (Mistake & { message: string; hint?: string | undefined })[] {
  return mistakes.map((mistake) => ({ ...mistake, ...faultText(mistake.fault) }));
}
