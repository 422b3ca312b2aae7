// How much is a cluster spared by other Placements? The more of them have chosen it, the less it scores.

import type { PlacementMode } from "../placement-mode.ts";

/** The score of a cluster that `count` other decisions name, where the most wanted cluster has `most`. */
export function balanceScore(count: number, most: number, mode: PlacementMode): number {
  if (count === 0) return 100;
  if (!mode.exactRatios) return 2 * Math.trunc(100 * (0.5 - count / most)) + 0;
  const part = 50 * most - 100 * count;
  return (2 * (part - (part % most))) / most + 0;
}
