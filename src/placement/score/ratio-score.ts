// Which score from -100 to 100 does a ratio get? Both formulas are exact; OCM computes in doubles.

import type { PlacementMode } from "../placement-mode.ts";

/** Balance: the score of a cluster that `count` decisions of other Placements name, where the largest such number is `most`. */
export function balanceScore(count: number, most: number, mode: PlacementMode): number {
  if (count === 0) return 100;
  if (!mode.exactRatios) return 2 * Math.trunc(100 * (0.5 - count / most)) + 0;
  const part = 50 * most - 100 * count;
  return (2 * (part - (part % most))) / most + 0;
}

/** trunc(100 · (2·part − whole) / whole), exactly; both are whole numbers with 0 ≤ part ≤ whole ≤ 2^53 and whole > 0. */
export function linearScore(part: number, whole: number): number {
  const distance = part + part - whole;
  const scaled = 100 * distance;
  if (Number.isSafeInteger(scaled)) return (scaled - (scaled % whole)) / whole + 0;
  return Number((100n * BigInt(distance)) / BigInt(whole));
}
