// Which of two clusters with equal scores comes first? By name, as in OCM; or by a hash of the names of Placement and cluster, so
// that not every Placement takes the beginning of the alphabet. Both orders are stable.
import { compareText } from "../../model/json.ts";
import type { Fleet } from "../fleet.ts";

/** How ties are broken. */
export type TieBreak = "name" | "hash";

/** An order of all clusters, as numbers from 0. */
export interface Ties {
  readonly of: (slot: number) => number;
  /** The slot of a number. */
  readonly slot: (tie: number) => number;
}

/** The order in which a Placement takes clusters with equal scores. */
export function tiesOf(tieBreak: TieBreak, fleet: Fleet, placement: string): Ties {
  if (tieBreak === "hash") return hashedTies(fleet, placement);
  return { of: (slot) => fleet.rank[slot] as number, slot: (tie) => fleet.order[tie] as number };
}

function hashedTies(fleet: Fleet, placement: string): Ties {
  let order: readonly number[] = [];
  let ranks = new Int32Array(0);
  let version = -1;
  const refresh = (): void => {
    if (version === fleet.version) return;
    version = fleet.version;
    const hashed = fleet.order.map((slot) => ({ slot, hash: hashOf(`${placement}\0${fleet.nameOf(slot)}`) }));
    hashed.sort((a, b) => a.hash - b.hash || compareText(fleet.nameOf(a.slot), fleet.nameOf(b.slot)));
    order = hashed.map(({ slot }) => slot);
    ranks = new Int32Array(fleet.size);
    for (const [rank, slot] of order.entries()) ranks[slot] = rank;
  };
  return {
    of: (slot) => {
      refresh();
      return ranks[slot] as number;
    },
    slot: (tie) => {
      refresh();
      return order[tie] as number;
    },
  };
}

/** FNV-1a of the UTF-16 units, 32 bits, with a last mix: names that differ in the last letter only come far apart, too. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash >>> 0;
}
