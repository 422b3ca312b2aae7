// What is wrong with Placements, before any cluster is looked at?

import type { Finding } from "../model/finding.ts";
import type { Place } from "../model/place.ts";
import type { Placement } from "../model/placement.ts";
import { placementExpression } from "./cel/placement-environment.ts";
import { DEFAULT_MODE, type PlacementMode } from "./placement-mode.ts";
import type { Mistake } from "./placement-result.ts";
import { preparePlacement } from "./prepare/prepare.ts";

/** The mistakes for which nothing is decided. */
export function placementMistakes(placement: Placement): readonly Mistake[] {
  return placementDoubts(placement, DEFAULT_MODE).mistakes;
}

/** The mistakes for which nothing is decided, and what is probably a mistake. */
export function placementDoubts(
  placement: Placement,
  mode: PlacementMode,
): { readonly mistakes: readonly Mistake[]; readonly warnings: readonly Mistake[] } {
  return preparePlacement(placement, mode, (text) => placementExpression(text, { compat: !mode.strictExpressions }));
}

/** Findings of the reader without those that each Placement has as mistakes of its own: keys of its spec that the API does not have. */
export function withoutOwnFields(findings: readonly Finding[], placements: readonly Placement[]): readonly Finding[] {
  const keyOf = ({ source, line, column }: Place, path: Place["path"] = []): string =>
    JSON.stringify([source, line, column, path]);
  const owners = new Set(placements.map(({ place }) => keyOf(place, place.path)));
  return findings.filter(({ code, place }) => {
    const spec = place.path?.indexOf("spec") ?? -1;
    return code !== "PL010" || spec < 0 || !owners.has(keyOf(place, place.path?.slice(0, spec)));
  });
}
