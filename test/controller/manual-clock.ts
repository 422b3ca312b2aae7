// Which clock moves only when a test says so? Timers that are due are called in their order.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../src/controller/clock.ts";

interface Timer {
  readonly due: number;
  readonly call: () => void;
}

export class ManualClock implements Clock {
  #wall: number;
  #monotonic = 0;
  readonly #timers = new Set<Timer>();

  constructor(wall: number = Date.UTC(2026, 2, 1, 12)) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(milliseconds: number, call: () => void): () => void {
    const timer = { due: this.#monotonic + Math.max(0, milliseconds), call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** How many timers are waiting. */
  get waiting(): number {
    return this.#timers.size;
  }

  /** Lets time pass. What a timer starts has a turn before the next timer is called. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#monotonic + milliseconds;
    await settle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#move(next.due);
      next.call();
      await settle();
    }
    this.#move(end);
    await settle();
  }

  /** Sets the wall clock, as an administrator or NTP does. */
  set(wall: number): void {
    this.#wall = wall;
  }

  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.due <= end);
    return due.sort((a, b) => a.due - b.due)[0];
  }

  #move(monotonic: number): void {
    this.#wall += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }
}

/** Lets everything run that waits for nothing else. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}
