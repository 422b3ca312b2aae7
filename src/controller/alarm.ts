// When is something due, by the wall clock? Times can be years ahead, and the wall clock can be set in between: it is read again at
// least twice a minute.

import type { Clock } from "./clock.ts";

/** How late an alarm can be after a step of the wall clock, in milliseconds. */
const MAX_WAIT = 30_000;

/** Alarms by key. */
export class Alarm {
  readonly #clock: Clock;
  readonly #onDue: (keys: readonly string[]) => void;
  /** In milliseconds since 1970. */
  readonly #times = new Map<string, number>();
  #cancel: (() => void) | undefined;
  /** When the timer ends, in milliseconds since 1970. */
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, onDue: (keys: readonly string[]) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Sets the time of a key, in milliseconds since 1970; undefined: there is none. */
  set(key: string, time: number | undefined): void {
    if (time === undefined) this.#times.delete(key);
    else this.#times.set(key, time);
    if (time !== undefined && time < this.#wakesAt) this.#start(time);
  }

  stop(): void {
    this.#times.clear();
    this.#cancel?.();
  }

  #start(time: number): void {
    this.#cancel?.();
    const now = this.#clock.now();
    const wait = Math.min(Math.max(0, time - now), MAX_WAIT);
    this.#wakesAt = now + wait;
    this.#cancel = this.#clock.after(wait, () => this.#ring());
  }

  #ring(): void {
    const now = this.#clock.now();
    const due = [...this.#times].filter(([, time]) => time <= now).map(([key]) => key);
    for (const key of due) this.#times.delete(key);
    this.#wakesAt = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const time of this.#times.values()) next = Math.min(next, time);
    if (this.#times.size > 0) this.#start(next);
    if (due.length > 0) this.#onDue(due);
  }
}
