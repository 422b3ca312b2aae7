// What is a new PlacementDecision called? By the smallest number that none has.

import { type DecidedSlices, sliceName } from "./decided-slices.ts";

/** Gives away the names that are free, each once. */
export class SliceNames {
  readonly #placement: string;
  readonly #decided: DecidedSlices;
  readonly #planned: ReadonlySet<string>;
  #number = 0;

  /** Names that are planned for something else are not free either. */
  constructor(placement: string, decided: DecidedSlices, planned: ReadonlySet<string> = new Set()) {
    this.#placement = placement;
    this.#decided = decided;
    this.#planned = planned;
  }

  /** The next free name, and its number. */
  next(): { readonly name: string; readonly number: number } {
    for (;;) {
      const number = ++this.#number;
      const name = sliceName(this.#placement, number);
      if (!this.#decided.hasNumber(number) && !this.#planned.has(name)) return { name, number };
    }
  }
}
