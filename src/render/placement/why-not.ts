// Why are the other clusters not selected? The most important reasons, clusters that could not be evaluated first.

import type { ClusterReport, PlacementResult } from "../../placement/placement-result.ts";
import type { Look } from "../kit/look.ts";
import type { Cut } from "./reason-words.ts";
import { clusterCount, countWidth, reasonLines, reasonsOf } from "./reasons.ts";
import type { ListedPlacement, ShownPlacements } from "./shown.ts";

/** How many reasons are printed. */
const MAX_REASONS = 12;

/** The section about clusters that are not selected. If nothing was decided, the only reason is printed elsewhere. */
export function whyNotLines(
  { result, clusters, closely }: ListedPlacement,
  { tieBreak }: Pick<ShownPlacements, "tieBreak">,
  look: Look,
): string[] {
  if (result.state !== "placed") return [];
  const others = clusters.filter(({ selected }) => !selected).map((report) => ({ name: report.name, report }));
  const reasons = reasonsOf(others, { ...cutOf(result, clusters), tieBreak });
  if (reasons.length === 0) return [];
  const shown = reasons.slice(0, MAX_REASONS);
  const left = reasons.slice(shown.length);
  return [
    look.style.bold(result.tally.selected === 0 ? "Why none" : "Why not the others"),
    ...shown.flatMap((reason) => reasonLines(reason, countWidth(shown), look, closely)),
    ...(left.length === 0
      ? []
      : [look.style.dim(`  … ${clusterCount(left)} more for ${left.length} other reasons; -o wide lists each`)]),
  ];
}

function cutOf({ placement, tally }: PlacementResult, clusters: readonly ClusterReport[]): Cut {
  const asked = placement.numberOfClusters ?? tally.selected;
  let last: ClusterReport | undefined;
  for (const report of clusters) if (report.selected && (report.rank ?? 0) > (last?.rank ?? 0)) last = report;
  return { tooMany: `${asked === 0 ? "none is" : asked === 1 ? "only 1 is" : `only ${asked} are`} asked for`, last };
}
