// How often has each cluster been chosen when the turn of a Placement comes? Placements are decided one after the other, in the
// order of their keys: those before it have decided already, those after it still have the decisions that are given.

import { compareText } from "../model/json.ts";

/** A Placement that takes its turn. */
export interface Turn {
  /** `namespace/name`. */
  readonly key: string;
  /** The clusters that are more often (1) or less often (-1) in its decisions, once it has decided. */
  eachShift(take: (cluster: string, step: number) => void): void;
}

/** How often others have chosen clusters. */
export interface OtherDecisions {
  /** The largest number there is, whether or not that cluster can be chosen. */
  readonly most: number;
  readonly of: (cluster: string) => number;
}

/**
 * Counts choices. Invariant: the tally has the decisions that are given, with the shifts of the first `#passed` Placements. A
 * Placement that is passed may not change; `rewind` goes back to its turn.
 */
export class Turns {
  readonly #tally = new Tally();
  /** All Placements, by key. */
  readonly #placements: () => readonly Turn[];
  #passed = 0;
  /** Whose turn it is; undefined if nobody knows. */
  #current: string | undefined;

  constructor(placements: () => readonly Turn[]) {
    this.#placements = placements;
  }

  /** A cluster comes into the decisions that are given (1), or leaves them (-1). */
  give(cluster: string, step: number): void {
    this.#tally.add(cluster, step);
  }

  /** What others have chosen when the turn of a Placement comes; `own` is how often its own decisions name each cluster. */
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

  /** Something about a Placement is going to change: it must not have been passed. */
  rewind(key: string): void {
    if (this.#passed > turnOf(this.#placements(), key)) this.#moveTo(key);
    else this.#current = undefined;
  }

  #moveTo(key: string): void {
    if (this.#current === key) return;
    const placements = this.#placements();
    const turn = turnOf(placements, key);
    while (this.#passed < turn)
      (placements[this.#passed++] as Turn).eachShift((cluster, step) => this.#tally.add(cluster, step));
    while (this.#passed > turn)
      (placements[--this.#passed] as Turn).eachShift((cluster, step) => this.#tally.add(cluster, -step));
    this.#current = key;
  }
}

/** How many of the Placements, which are in the order of their keys, come before a key. */
export function turnOf(placements: readonly Pick<Turn, "key">[], key: string): number {
  let low = 0;
  let high = placements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText((placements[middle] as Turn).key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How often each cluster is chosen, and the largest of these numbers. */
class Tally {
  readonly #counts = new Map<string, number>();
  /** How many clusters are chosen so many times. */
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
