// Which Placements are affected by new decisions of others, and who has to be evaluated to know that? Results are published in the order
// in which Placements are scheduled. The search for affected ones goes through all of them in that order and can be interrupted: to
// evaluate a thousand takes longer than an event loop may be blocked.

import { compareText } from "../model/json.ts";
import type { PlacementResult } from "./placement-result.ts";
import type { PlacementState } from "./placement-state.ts";
import { positionOf } from "./scheduling-order.ts";

/** Clusters that decisions on the hub begin or cease to name, which the Placements before a position count. */
export interface DecidedClusters {
  readonly clusters: ReadonlySet<string>;
  readonly end: number;
}

/** Placements that are affected by themselves, and others that count decisions which have changed. */
export interface Affected {
  readonly direct: readonly PlacementState[];
  readonly rebalanced: readonly PlacementState[];
}

/** How far a search has come. */
class Search {
  readonly direct: Set<PlacementState>;
  /** They may be in `direct`, too. */
  readonly rebalanced: Set<PlacementState> = new Set();
  /** The first that it has not come to. */
  position = 0;
  /** Clusters that those before are going to decide differently; those from `position` on do not count it yet. */
  readonly moved: Set<string> = new Set();

  constructor(direct: Set<PlacementState>) {
    this.direct = direct;
  }
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
  /** The search that is not finished. */
  #search: Search | undefined;

  /** `rewind` is called before the decisions of a Placement change. */
  constructor(inOrder: () => readonly PlacementState[], rewind: (key: string) => void) {
    this.#inOrder = inOrder;
    this.#rewind = rewind;
  }

  /** The answer to a Placement. With Balance it depends on the decisions of those before it. */
  answer(state: PlacementState): PlacementResult {
    this.#interrupt();
    const position = positionOf(this.#inOrder(), state.key);
    this.#publish(state.balances ? Math.min(this.#published, position) : position, position);
    if (state.balances || this.#published === position) this.#published = Math.max(this.#published, position + 1);
    for (const doubtful of this.#doubtful) {
      doubtful.mayBeRescaled();
      this.#search?.rebalanced.add(doubtful);
    }
    this.#doubtful.clear();
    return state.answer().result;
  }

  /** The decisions of a Placement may change: those after it have to wait for it. */
  reopen(key: string): void {
    this.#rewind(key);
    this.#published = Math.min(this.#published, positionOf(this.#inOrder(), key));
  }

  /** Begins a search, or begins the one that is not finished again; returns where to add those that are affected by themselves. */
  search(): Set<PlacementState> {
    this.#interrupt();
    this.#search ??= new Search(new Set());
    return this.#search.direct;
  }

  /** Goes on with the search until it is finished; asks after each evaluation if that is enough for now, and returns undefined then. */
  settle(isOver: () => boolean): Affected | undefined {
    const search = this.#search;
    if (search === undefined) return { direct: [], rebalanced: [] };
    if (!this.#goOn(search, isOver)) return undefined;
    this.#search = undefined;
    const { direct, rebalanced } = search;
    return { direct: [...direct], rebalanced: [...rebalanced].filter((state) => !direct.has(state)) };
  }

  /** The sorted keys of `affected`, and of the Placements after them whose Balance scores change with their decisions. */
  affectedKeys(affected: Set<PlacementState>): readonly string[] {
    if (affected.size === 0) return [];
    this.#interrupt();
    for (const doubtful of this.#doubtful) this.#search?.rebalanced.add(doubtful);
    const search = new Search(affected);
    this.#goOn(search, () => false);
    return [...new Set([...search.direct, ...search.rebalanced])].map(({ key }) => key).sort(compareText);
  }

  /** Decisions on the hub have changed. All that count them are affected once, however many decisions name a cluster. */
  countDecided(decided: readonly DecidedClusters[]): void {
    const order = this.#inOrder();
    const byEnd = [...decided].sort((a, b) => b.end - a.end);
    const clusters = new Set<string>();
    let next = 0;
    for (let position = Math.min(order.length, byEnd[0]?.end ?? 0) - 1; position >= 0; position--) {
      for (; position < (byEnd[next]?.end ?? 0); next++)
        for (const cluster of (byEnd[next] as DecidedClusters).clusters) clusters.add(cluster);
      this.#tell(order[position] as PlacementState, clusters);
    }
  }

  /** The decisions of others have changed for these clusters: is a Placement affected, as far as that is known now? */
  changeOthers(state: PlacementState, clusters: ReadonlySet<string>): boolean {
    const effect = state.changeOthers(clusters);
    if (effect === "if-rescaled") this.#doubtful.add(state);
    return effect === "yes";
  }

  /** The same, for the search that is not finished. */
  #tell(state: PlacementState, clusters: ReadonlySet<string>): void {
    if (this.changeOthers(state, clusters)) this.#search?.rebalanced.add(state);
  }

  /** Something else happens before the search is finished: tells those that it has not come to what it knows, and begins again. */
  #interrupt(): void {
    const search = this.#search;
    if (search === undefined) return;
    if (search.moved.size > 0)
      for (const state of this.#inOrder().slice(search.position)) this.#tell(state, search.moved);
    search.moved.clear();
    search.position = 0;
  }

  /** Makes the results of Placements, given by their positions, known to those after them. */
  #publish(first: number, end: number): void {
    const order = this.#inOrder();
    const last = this.#lastBalancing();
    const moved = new Set<string>();
    for (let position = first; position <= end; position++) {
      const state = order[position] as PlacementState;
      this.#tell(state, moved);
      const clusters = state.publish();
      if (position < last) for (const cluster of clusters?.() ?? []) moved.add(cluster);
    }
    if (moved.size > 0) for (const state of order.slice(end + 1, last + 1)) this.#tell(state, moved);
  }

  /** Goes on with a search; returns whether it is finished. What those after a Placement count is known when it has published its result. */
  #goOn(search: Search, isOver: () => boolean): boolean {
    const order = this.#inOrder();
    const last = this.#lastBalancing();
    const { direct, rebalanced, moved } = search;
    for (; search.position <= last; search.position++) {
      if (direct.size + rebalanced.size + this.#doubtful.size === 0) break;
      const state = order[search.position] as PlacementState;
      if (this.changeOthers(state, moved)) rebalanced.add(state);
      const isKnown = direct.has(state) || rebalanced.has(state);
      if (!isKnown && this.#doubtful.has(state) && state.isRescaled()) rebalanced.add(state);
      if (search.position === last || !state.mayHaveMoved) continue;
      for (const cluster of state.publish()?.() ?? []) moved.add(cluster);
      if (!isOver()) continue;
      search.position++;
      return false;
    }
    this.#doubtful.clear();
    return true;
  }

  /** The position of the last Placement that the decisions of others may affect. */
  #lastBalancing(): number {
    return this.#inOrder().findLastIndex((state) => state.isEvaluated && state.balances);
  }
}
