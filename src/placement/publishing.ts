// Which Placements are affected by new decisions of others, and which have to be evaluated to know that? Results are published in the
// order in which Placements are scheduled.

import type { PlacementResult } from "./placement-result.ts";
import type { PlacementState } from "./placement-state.ts";
import { positionOf } from "./scheduling-order.ts";

/** Clusters that decisions on the hub begin or cease to name, which the Placements before a position count. */
export interface DecidedClusters {
  readonly clusters: ReadonlySet<string>;
  readonly end: number;
}

/** Placements that are affected by themselves, and others that count decisions which have changed; one may be in both. */
export interface Affected {
  readonly direct: Set<PlacementState>;
  readonly rebalanced: Set<PlacementState>;
}

/** What each Placement knows of the decisions of those before it. */
export class Publishing {
  /** All Placements, by key. */
  readonly #inOrder: () => readonly PlacementState[];
  readonly #rewind: (key: string) => void;
  /** How many Placements, from the first, have published their result to those after them. */
  #published = 0;
  /** Placements that are affected if the largest number of decisions has changed. */
  readonly #doubtful = new Set<PlacementState>();

  /** `rewind` is called before the decisions of a Placement change. */
  constructor(inOrder: () => readonly PlacementState[], rewind: (key: string) => void) {
    this.#inOrder = inOrder;
    this.#rewind = rewind;
  }

  /** The answer to a Placement. With Balance it depends on the decisions of those before it. */
  answer(state: PlacementState): PlacementResult {
    const position = positionOf(this.#inOrder(), state.key);
    this.#publish(state.balances ? Math.min(this.#published, position) : position, position);
    if (state.balances || this.#published === position) this.#published = Math.max(this.#published, position + 1);
    for (const doubtful of this.#doubtful) doubtful.mayBeRescaled();
    this.#doubtful.clear();
    return state.answer().result;
  }

  /** The decisions of a Placement may change: those after it have to wait for it. */
  reopen(key: string): void {
    this.#rewind(key);
    this.#published = Math.min(this.#published, positionOf(this.#inOrder(), key));
  }

  /**
   * Adds the Placements whose Balance scores change with the decisions of those that are affected. Those that may select other clusters are
   * evaluated for that, one after the other.
   */
  follow({ direct, rebalanced }: Affected): void {
    const order = this.#inOrder();
    const last = this.#lastBalancing();
    /** Clusters that those before a position are going to decide differently; those from it on do not count it yet. */
    const moved = new Set<string>();
    for (let position = 0; position <= last; position++) {
      if (direct.size + rebalanced.size + this.#doubtful.size === 0) break;
      const state = order[position] as PlacementState;
      if (this.changeOthers(state, moved)) rebalanced.add(state);
      const isKnown = direct.has(state) || rebalanced.has(state);
      if (!isKnown && this.#doubtful.has(state) && state.isRescaled()) rebalanced.add(state);
      if (position < last && state.mayHaveMoved) for (const cluster of state.publish()?.() ?? []) moved.add(cluster);
    }
    this.#doubtful.clear();
  }

  /** Decisions on the hub have changed. All that count them are affected once, however many decisions name a cluster. */
  countDecided(decided: readonly DecidedClusters[], { rebalanced }: Affected): void {
    const order = this.#inOrder();
    const byEnd = [...decided].sort((a, b) => b.end - a.end);
    const clusters = new Set<string>();
    let next = 0;
    for (let position = Math.min(order.length, byEnd[0]?.end ?? 0) - 1; position >= 0; position--) {
      for (; position < (byEnd[next]?.end ?? 0); next++)
        for (const cluster of (byEnd[next] as DecidedClusters).clusters) clusters.add(cluster);
      const state = order[position] as PlacementState;
      if (this.changeOthers(state, clusters)) rebalanced.add(state);
    }
  }

  /** The decisions of others have changed for these clusters: is a Placement affected, as far as that is known now? */
  changeOthers(state: PlacementState, clusters: ReadonlySet<string>): boolean {
    const effect = state.changeOthers(clusters);
    if (effect === "if-rescaled") this.#doubtful.add(state);
    return effect === "yes";
  }

  /** Makes the results of Placements, given by their positions, known to those after them. */
  #publish(first: number, end: number): void {
    const order = this.#inOrder();
    const last = this.#lastBalancing();
    const moved = new Set<string>();
    for (let position = first; position <= end; position++) {
      const state = order[position] as PlacementState;
      this.changeOthers(state, moved);
      const clusters = state.publish();
      if (position < last) for (const cluster of clusters?.() ?? []) moved.add(cluster);
    }
    if (moved.size > 0) for (const state of order.slice(end + 1, last + 1)) this.changeOthers(state, moved);
  }

  /** The position of the last Placement that the decisions of others may affect. */
  #lastBalancing(): number {
    return this.#inOrder().findLastIndex((state) => state.isEvaluated && state.balances);
  }
}
