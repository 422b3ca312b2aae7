// In which order are feasible clusters ranked? By tier (unread clusters first, those with a PreferNoSelect taint last), then by
// score, then by the tie-break.

import { firstPosition } from "../../model/sorted.ts";

/** What clusters, given as slots, are ranked by. */
export interface RankedBy {
  /** -1, 0 or 1: a smaller tier comes first. */
  readonly tier: (slot: number) => number;
  readonly total: (slot: number) => number;
  /** A small number that is different for each slot. */
  readonly tie: (slot: number) => number;
  /** The slot that has this tie. */
  readonly tied: (tie: number) => number;
}

/** Totals and ties up to this size fit into one double together. */
const LARGEST_TOTAL = 2 ** 29;
const TIES = 2 ** 22;

/** Compares two clusters. */
function compareRanks(by: RankedBy, a: number, b: number): number {
  return by.tier(a) - by.tier(b) || by.total(b) - by.total(a) || by.tie(a) - by.tie(b);
}

/** The slots by rank. Sorts one number for each slot, which is many times faster than a comparison function. */
export function rankAll(slots: readonly number[], by: RankedBy): number[] {
  const keys = new Float64Array(slots.length);
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as number;
    const total = by.total(slot);
    const tie = by.tie(slot);
    if (Math.abs(total) > LARGEST_TOTAL || tie >= TIES) return [...slots].sort((a, b) => compareRanks(by, a, b));
    const height = by.tier(slot) * (2 * LARGEST_TOTAL + 1) - total;
    keys[index] = height * TIES + tie;
  }
  keys.sort();
  const ranked = new Array<number>(slots.length);
  for (let index = 0; index < slots.length; index++) {
    const key = keys[index] as number;
    ranked[index] = by.tied(key - Math.floor(key / TIES) * TIES);
  }
  return ranked;
}

/** The position of a slot in a ranking, or where to insert it. */
export function positionIn(ranked: readonly number[], slot: number, by: RankedBy): number {
  return firstPosition(ranked.length, (position) => compareRanks(by, ranked[position] as number, slot) < 0);
}
