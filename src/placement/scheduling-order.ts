// In which order are Placements scheduled, and which decisions of the others does each one see? By key: those before it have
// their new decisions, those after it the decisions that are on the hub.

import { getOrAdd } from "../model/grouped.ts";
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

/** The decisions of one Placement on the hub; they do not change. */
export interface OwnDecisions {
  /** The clusters, as often as they are named. */
  readonly named: () => Iterable<string>;
  readonly timesNamed: (cluster: string) => number;
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

  /** A decision on the hub names a cluster more often (above 0) or less often. */
  count(cluster: string, step: number): void {
    this.#tally.add(cluster, step);
  }

  /** The decisions of others when a Placement is scheduled; `own` are its own decisions on the hub. */
  others(key: string, own: OwnDecisions): OtherDecisions {
    this.#moveTo(key);
    return {
      most: this.#tally.mostWithout(own),
      of: (cluster) => {
        this.#moveTo(key);
        return this.#tally.of(cluster) - own.timesNamed(cluster);
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

/** With fewer numbers than this, those of clusters that no Placement names are kept. */
const FEW_NUMBERS = 1000;

/**
 * How often each cluster is named, and the largest of these numbers. Clusters are numbered, so that the decisions of a Placement can be
 * taken away and put back thousands of times a second.
 */
class Tally {
  /** The number of each cluster. */
  #numbers = new Map<string, number>();
  /** By the number of a cluster: how often it is named. */
  #counts: number[] = [];
  /** How many clusters have a count. */
  #named = 0;
  /** By count: how many clusters are named so often. */
  readonly #clusters: number[] = [];
  /** The clusters of decisions, as numbers. */
  #own = new WeakMap<OwnDecisions, Int32Array>();

  add(cluster: string, step: number): void {
    this.#step(this.#numberOf(cluster), step);
    if (this.#counts.length > 2 * this.#named + FEW_NUMBERS) this.#renumber();
  }

  of(cluster: string): number {
    const number = this.#numbers.get(cluster);
    return number === undefined ? 0 : (this.#counts[number] as number);
  }

  /** The largest number without some decisions. */
  mostWithout(own: OwnDecisions): number {
    const numbers = getOrAdd(this.#own, own, () => Int32Array.from(own.named(), (cluster) => this.#numberOf(cluster)));
    for (let at = 0; at < numbers.length; at++) this.#step(numbers[at] as number, -1);
    const most = this.#most;
    for (let at = 0; at < numbers.length; at++) this.#step(numbers[at] as number, 1);
    return most;
  }

  get #most(): number {
    let most = Math.max(0, this.#clusters.length - 1);
    while (most > 0 && this.#clusters[most] === 0) most--;
    return most;
  }

  #numberOf(cluster: string): number {
    const known = this.#numbers.get(cluster);
    if (known !== undefined) return known;
    this.#numbers.set(cluster, this.#counts.length);
    return this.#counts.push(0) - 1;
  }

  #step(number: number, step: number): void {
    const before = this.#counts[number] as number;
    const after = before + step;
    this.#counts[number] = after;
    if (before === 0) this.#named++;
    if (after === 0) this.#named--;
    if (before > 0) (this.#clusters[before] as number)--;
    if (after <= 0) return;
    while (this.#clusters.length <= after) this.#clusters.push(0);
    (this.#clusters[after] as number)++;
  }

  /** Forgets clusters that no Placement names. */
  #renumber(): void {
    const named = [...this.#numbers].filter(([, number]) => this.#counts[number] !== 0);
    this.#counts = named.map(([, number]) => this.#counts[number] as number);
    this.#numbers = new Map(named.map(([cluster], number) => [cluster, number]));
    this.#own = new WeakMap();
  }
}
