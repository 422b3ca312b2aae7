// How long until the next attempt? Twice as long as before, up to a limit, and shortened at random, so that several processes do not
// try at the same moment.

export interface BackoffOptions {
  /** Milliseconds of the first wait, and of the longest, before they are shortened. */
  readonly first: number;
  readonly max: number;
  /** At least 0, less than 1. */
  readonly random: () => number;
}

/** The delay in milliseconds after `failures` consecutive failures (1 or more): random, from half the exponential delay to all of it. */
export function backoffAfter(failures: number, { first, max, random }: BackoffOptions): number {
  return Math.min(first * 2 ** (failures - 1), max) * (0.5 + random() / 2);
}

/** The waits between attempts that fail. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Milliseconds until the next attempt, after another failure. */
  next(): number {
    this.#failures++;
    return backoffAfter(this.#failures, this.#options);
  }

  /** An attempt has succeeded. */
  reset(): void {
    this.#failures = 0;
  }
}
