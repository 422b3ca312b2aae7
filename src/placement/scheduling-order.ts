// In which order are Placements scheduled, and which decisions of the others does each one see? By key: those before it have
// their new decisions, those after it the decisions that are on the hub.

import { compareText } from "../model/json.ts";
import { firstPosition } from "../model/sorted.ts";
import type { OtherDecisions } from "./score/scores.ts";

/** A Placement that is scheduled in the order of keys. */
export interface ScheduledPlacement {
  /** `namespace/name`. */
  readonly key: string;
  /** Calls `take` for each cluster that its new decisions name more often (1) or less often (-1) than those on the hub. */
  eachDecisionChange(take: (cluster: string, step: number) => void): void;
}

/**
 * Counts how often decisions name each cluster. Invariant: the tally has the decisions on the hub, with the changes of the first
 * `#scheduled` Placements. Their changes are fixed; `rewind` goes back to before a Placement.
 */
export class SchedulingOrder {
  readonly #tally = new Tally();
  /** All Placements, by key. */
  readonly #placements: () => readonly ScheduledPlacement[];
  #scheduled = 0;
  /** The Placement that the tally is valid for; undefined if it has to be looked up. */
  #current: string | undefined;

  constructor(placements: () => readonly ScheduledPlacement[]) {
    this.#placements = placements;
  }

  /** A decision on the hub begins (1) or ceases (-1) to name a cluster. */
  count(cluster: string, step: number): void {
    this.#tally.add(cluster, step);
  }

  /** The decisions of others when a Placement is scheduled; `own` is how often its own decisions name each cluster. */
  others(key: string, own: ReadonlyMap<string, number>): OtherDecisions {
    this.#moveTo(key);
    for (const [cluster, count] of own) this.#tally.add(cluster, -count);
    const { most } = this.#tally;
    for (const [cluster, count] of own) this.#tally.add(cluster, count);
    return {
      most,
      of: (cluster) => {
        this.#moveTo(key);
        return this.#tally.of(cluster) - (own.get(cluster) ?? 0);
      },
    };
  }

  /** Goes back to before a Placement whose decisions are going to change. */
  rewind(key: string): void {
    if (this.#scheduled > positionOf(this.#placements(), key)) this.#moveTo(key);
    else this.#current = undefined;
  }

  #moveTo(key: string): void {
    if (this.#current === key) return;
    const placements = this.#placements();
    const position = positionOf(placements, key);
    const shift = (placement: ScheduledPlacement | undefined, sign: number): void =>
      placement?.eachDecisionChange((cluster, step) => this.#tally.add(cluster, sign * step));
    while (this.#scheduled < position) shift(placements[this.#scheduled++], 1);
    while (this.#scheduled > position) shift(placements[--this.#scheduled], -1);
    this.#current = key;
  }
}

/** The number of Placements, given in the order of their keys, that come before a key. */
export function positionOf(placements: readonly Pick<ScheduledPlacement, "key">[], key: string): number {
  return firstPosition(placements.length, (at) => compareText((placements[at] as ScheduledPlacement).key, key) < 0);
}

/** How often each cluster is named, and the largest of these numbers. */
class Tally {
  readonly #counts = new Map<string, number>();
  /** By number: how many clusters are named so often. */
  readonly #clusters: number[] = [];

  add(cluster: string, step: number): void {
    const before = this.of(cluster);
    const after = before + step;
    if (after === 0) this.#counts.delete(cluster);
    else this.#counts.set(cluster, after);
    if (before > 0) (this.#clusters[before] as number)--;
    if (after <= 0) return;
    while (this.#clusters.length <= after) this.#clusters.push(0);
    (this.#clusters[after] as number)++;
  }

  of(cluster: string): number {
    return this.#counts.get(cluster) ?? 0;
  }

  get most(): number {
    while (this.#clusters.length > 1 && this.#clusters.at(-1) === 0) this.#clusters.pop();
    return Math.max(0, this.#clusters.length - 1);
  }
}
