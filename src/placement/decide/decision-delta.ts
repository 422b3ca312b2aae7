// In what does the selection differ from what has been decided? Kept up to date, so that one cluster more or less among a
// hundred thousand costs nothing.
import { compareText } from "../../model/json.ts";
import type { Flip } from "../select/selected-names.ts";
import type { DecidedSlices } from "./decided-slices.ts";
import type { SelectionChange } from "./slices-change.ts";

/** The difference. Invariant: `#added` are selected and not decided, `#removed` the other way round. */
export class DecisionDelta {
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();
  #decided: DecidedSlices;
  /** How often it has changed. */
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
    for (const name of decided.clusters) this.#removed.add(name);
    for (const name of selected) if (!this.#removed.delete(name)) this.#added.add(name);
  }

  /** Takes in what came and went. */
  change(flips: readonly Flip[]): void {
    if (flips.length > 0) this.version++;
    for (const { name, isChosen } of flips) {
      const isDecided = this.#decided.has(name);
      if (isChosen && isDecided) this.#removed.delete(name);
      else if (isChosen) this.#added.add(name);
      else if (isDecided) this.#removed.add(name);
      else this.#added.delete(name);
    }
  }

  /** Every cluster that is more (1) or less (-1). */
  each(take: (cluster: string, step: number) => void): void {
    for (const cluster of this.#added) take(cluster, 1);
    for (const cluster of this.#removed) take(cluster, -1);
  }

  /** The difference by name. */
  sorted(): SelectionChange {
    return { added: [...this.#added].sort(compareText), removed: [...this.#removed].sort(compareText) };
  }
}
