// How does the selection differ from the PlacementDecisions on the hub? Updated in place, so that one more cluster costs nothing.
import { compareText } from "../../model/json.ts";
import type { Flip } from "../select/selected-names.ts";
import type { DecidedSlices } from "./decided-slices.ts";
import type { SelectionChange } from "./slices.ts";

/** The difference. Invariant: `#added` are selected and not decided, `#removed` are decided and not selected. */
export class DecisionDelta {
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();
  #decided: DecidedSlices;
  /** Incremented with each change. */
  version = 0;

  constructor(decided: DecidedSlices, selected: readonly string[]) {
    this.#decided = decided;
    this.restart(decided, selected);
  }

  /** Compares everything. */
  restart(decided: DecidedSlices, selected: readonly string[]): void {
    this.version++;
    this.#decided = decided;
    this.#added.clear();
    this.#removed.clear();
    for (const name of decided.names()) this.#removed.add(name);
    for (const name of selected) if (!this.#removed.delete(name)) this.#added.add(name);
  }

  /** Applies what became selected or unselected. */
  change(flips: readonly Flip[]): void {
    if (flips.length > 0) this.version++;
    for (const { name, isSelected } of flips) {
      const isDecided = this.#decided.has(name);
      if (isSelected && isDecided) this.#removed.delete(name);
      else if (isSelected) this.#added.add(name);
      else if (isDecided) this.#removed.add(name);
      else this.#added.delete(name);
    }
  }

  /** Calls `take` for every added (1) and removed (-1) cluster. */
  each(take: (cluster: string, step: number) => void): void {
    for (const cluster of this.#added) take(cluster, 1);
    for (const cluster of this.#removed) take(cluster, -1);
  }

  /** The difference by name. */
  sorted(): SelectionChange {
    return { added: [...this.#added].sort(compareText), removed: [...this.#removed].sort(compareText) };
  }
}
