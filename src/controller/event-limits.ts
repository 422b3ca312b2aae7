// Does an object have too many events? A bucket of tokens for each object, as client-go has it: 25 at once, then one every 5 minutes.

import type { Clock } from "./clock.ts";

const BURST = 25;
const REFILL = 5 * 60 * 1000;
/** Objects whose tokens are known; client-go's number. The limit of one that is forgotten begins again. */
const MAX_OBJECTS = 4096;

export class EventLimits {
  readonly #clock: Clock;
  /** In the order of their last event. */
  readonly #buckets = new Map<string, { readonly tokens: number; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one token of the object; false if it has none. */
  take(object: string): boolean {
    const tokens = this.#tokensOf(object);
    this.#buckets.delete(object);
    this.#buckets.set(object, { tokens: tokens < 1 ? tokens : tokens - 1, at: this.#clock.monotonic() });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= MAX_OBJECTS) break;
      this.#buckets.delete(oldest);
    }
    return tokens >= 1;
  }

  /** Milliseconds until the object has a token. */
  wait(object: string): number {
    return Math.max(0, (1 - this.#tokensOf(object)) * REFILL);
  }

  #tokensOf(object: string): number {
    const bucket = this.#buckets.get(object);
    if (bucket === undefined) return BURST;
    return Math.min(BURST, bucket.tokens + (this.#clock.monotonic() - bucket.at) / REFILL);
  }
}
