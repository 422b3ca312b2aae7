// How long until the next attempt? Twice as long as before, up to a limit, and shortened at random, so that several processes do not
// try at the same moment.

interface BackoffOptions {
  /** Milliseconds of the first wait, and of the longest, before they are shortened. */
  readonly first: number;
  readonly max: number;
  /** At least 0, less than 1. */
  readonly random: () => number;
}

/** The waits between attempts that fail. */
export class Backoff {
  readonly #options: BackoffOptions;
  #wait: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#wait = options.first;
  }

  /** Milliseconds until the next attempt: between half of the wait and all of it. */
  next(): number {
    const { max, random } = this.#options;
    const wait = Math.min(this.#wait, max);
    this.#wait = wait * 2;
    return wait * (0.5 + random() / 2);
  }

  /** An attempt has succeeded. */
  reset(): void {
    this.#wait = this.#options.first;
  }
}
