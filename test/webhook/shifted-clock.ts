// Which clock is that of the machine, and yet lets a test wait for weeks? One whose wall clock can be moved; long waits, such as that until a
// Secret is read again, are then over at once. Short ones are real; those of time limits are longer than on any clock, for busy machines.

import { type Clock, SYSTEM_CLOCK } from "../../src/controller/clock.ts";

const LONG = 30_000;
/** What a time limit of the webhook is between, in milliseconds; and how often longer it is. */
const LIMITS = [1_500, 3_500] as const;
const PATIENCE = 8;

export class ShiftedClock implements Clock {
  #offset: number;
  readonly #long = new Set<() => void>();

  constructor(offset: number) {
    this.#offset = offset;
  }

  now(): number {
    return SYSTEM_CLOCK.now() + this.#offset;
  }

  monotonic(): number {
    return SYSTEM_CLOCK.monotonic();
  }

  after(milliseconds: number, call: () => void): () => void {
    const isLimit = milliseconds >= LIMITS[0] && milliseconds <= LIMITS[1];
    if (milliseconds < LONG) return SYSTEM_CLOCK.after(milliseconds * (isLimit ? PATIENCE : 1), call);
    this.#long.add(call);
    return () => void this.#long.delete(call);
  }

  /** Moves the wall clock, and ends all long waits. */
  shift(milliseconds: number): void {
    this.#offset += milliseconds;
    const calls = [...this.#long];
    this.#long.clear();
    for (const call of calls) call();
  }
}
