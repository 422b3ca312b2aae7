// Which unassigned variable took part in the most, and the most recent, conflicts? Contains only variables that took
// part in any.

import { FIRST_VARIABLES, fractions, grown, ints } from "./arrays.ts";

const DECAY = 0.95;
const TOO_LARGE = 1e100;

/** The variables with an activity, the most active first. */
export class ActivityHeap {
  /** By variable; 0: never part of a conflict. */
  activities: Float64Array<ArrayBuffer> = fractions(FIRST_VARIABLES);
  #heap: Int32Array<ArrayBuffer> = ints(FIRST_VARIABLES);
  /** By variable: its index in the heap plus 1; 0: not in it. */
  #places: Int32Array<ArrayBuffer> = ints(FIRST_VARIABLES);
  #size = 0;
  #step = 1;

  /** Makes room for this many variables. */
  reserve(variables: number): void {
    if (variables <= this.#places.length) return;
    this.#places = grown(this.#places, variables);
    this.#heap = grown(this.#heap, variables);
    const activities = fractions(this.#places.length);
    activities.set(this.activities);
    this.activities = activities;
  }

  /** Called when the variable took part in a conflict. */
  bump(variable: number): void {
    const activity = (this.activities[variable] as number) + this.#step;
    this.activities[variable] = activity;
    if (activity > TOO_LARGE) this.#rescale();
    const place = this.#places[variable] as number;
    if (place > 0) this.#rise(place - 1);
  }

  /** Later conflicts count more than earlier ones. */
  decay(): void {
    this.#step /= DECAY;
  }

  /** Puts an unassigned variable back. */
  insert(variable: number): void {
    if (this.#places[variable] !== 0) return;
    this.#heap[this.#size] = variable;
    this.#rise(this.#size++);
  }

  /** Removes and returns the most active variable; -1 if there is none. */
  pop(): number {
    if (this.#size === 0) return -1;
    const top = this.#heap[0] as number;
    this.#places[top] = 0;
    const last = this.#heap[--this.#size] as number;
    if (this.#size > 0) {
      this.#heap[0] = last;
      this.#sink(last);
    }
    return top;
  }

  #rise(place: number): void {
    const { activities } = this;
    const variable = this.#heap[place] as number;
    const activity = activities[variable] as number;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = this.#heap[above] as number;
      if ((activities[other] as number) >= activity) break;
      this.#heap[place] = other;
      this.#places[other] = place + 1;
      place = above;
    }
    this.#heap[place] = variable;
    this.#places[variable] = place + 1;
  }

  #sink(variable: number): void {
    const { activities } = this;
    const activity = activities[variable] as number;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.#size) break;
      if (below + 1 < this.#size && this.#activityAt(below + 1) > this.#activityAt(below)) below++;
      const other = this.#heap[below] as number;
      if ((activities[other] as number) <= activity) break;
      this.#heap[place] = other;
      this.#places[other] = place + 1;
      place = below;
    }
    this.#heap[place] = variable;
    this.#places[variable] = place + 1;
  }

  #activityAt(place: number): number {
    return this.activities[this.#heap[place] as number] as number;
  }

  #rescale(): void {
    for (let variable = 0; variable < this.activities.length; variable++) {
      this.activities[variable] = (this.activities[variable] as number) / TOO_LARGE;
    }
    this.#step /= TOO_LARGE;
  }
}
