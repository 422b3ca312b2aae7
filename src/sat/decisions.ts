// Which literal is decided next? In the order of a preference, or by recent conflicts; the rest false.

import type { ConstraintStore } from "./constraint-store.ts";
import { isPositive, type Literal, negate, positive } from "./literal.ts";

/** No relevant variable is unassigned. */
export const NONE = -1;

/** Chooses literals to decide. */
export class Decisions {
  readonly #store: ConstraintStore;
  /** The trail up to here needs no new query of the preference; -1: query it. */
  #quiet = -1;
  /** The length of the trail that is unchanged since the preference was last queried. */
  #kept = 0;

  constructor(store: ConstraintStore) {
    this.#store = store;
  }

  /** The trail was cut back to this size, or a new question begins: the preference must be queried again. */
  reconsider(size: number): void {
    this.#quiet = -1;
    this.#kept = Math.min(this.#kept, size);
  }

  /** The preferred literal; after that the unassigned variables become false, one after the other. */
  byPreference(preference: (kept: number, size: number) => Literal): Literal {
    if (!this.#isQuiet()) {
      const { trail } = this.#store;
      const preferred = preference(this.#kept, trail.size);
      this.#kept = trail.size;
      if (preferred !== NONE) {
        if (trail.values[preferred] === 0) return preferred;
        throw new Error(`literal ${preferred} is preferred although it is assigned`);
      }
      this.#quiet = trail.size;
    }
    const variable = this.#nextOpen();
    return variable === NONE ? NONE : negate(positive(variable));
  }

  /** The most active variable with its last value; after that the others, each with its last value. */
  byActivity(): Literal {
    const { heap, phases, trail } = this.#store;
    let variable = heap.pop();
    while (variable !== NONE && trail.values[positive(variable)] !== 0) variable = heap.pop();
    if (variable === NONE) variable = this.#nextOpen();
    if (variable === NONE) return NONE;
    return phases[variable] === 1 ? positive(variable) : negate(positive(variable));
  }

  /** Has no variable become true since there was nothing more to prefer? */
  #isQuiet(): boolean {
    const { trail } = this.#store;
    if (this.#quiet < 0) return false;
    while (this.#quiet < trail.size && !isPositive(trail.literals[this.#quiet] as Literal)) this.#quiet++;
    return this.#quiet === trail.size;
  }

  /**
   * The next unassigned variable that matters. One that no clause needs true, and no group needs false, may stay
   * unassigned: false is fine.
   */
  #nextOpen(): number {
    const store = this.#store;
    const { values, variables } = store.trail;
    const watched = store.watches.sizes;
    const grouped = store.groupsOf.sizes;
    for (let pass = 0; pass < 2; pass++) {
      for (let variable = store.cursor; variable < variables; variable++) {
        const literal = positive(variable);
        if (values[literal] !== 0 || (watched[literal] === 0 && grouped[literal + 1] === 0)) continue;
        store.cursor = variable;
        return variable;
      }
      // A clause may now depend on a variable that was skipped.
      store.cursor = 0;
    }
    store.cursor = variables;
    return NONE;
  }
}
