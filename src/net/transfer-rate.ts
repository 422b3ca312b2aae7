// Does a transfer bring enough to end in a reasonable time? A peer that sends a byte now and then is never silent, and would keep
// it open for ever.

/** So much must come in each window, as an average of the last one. */
const WINDOW = 60_000;
const MIN_BYTES = 60 * 1024;
/** Bytes are counted in steps of so many milliseconds. */
const STEP = 1000;

/** What is said about a peer that is too slow, behind its name. */
export const TOO_SLOW = "sent less than 1 KiB per second for 60 seconds";

/** Counts the bytes of a transfer, which begins now. */
export class TransferRate {
  readonly #now: () => number;
  readonly #began: number;
  /** The bytes of the last window, by the steps in which they came. */
  readonly #steps: { readonly at: number; bytes: number }[] = [];
  #bytes = 0;
  /** The time during which nothing was waited for. */
  #paused = 0;
  #pausedAt: number | undefined;

  /** `now` is a clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#began = now();
  }

  /** Nothing is waited for, until it goes on: the time does not count. */
  pause(): void {
    this.#pausedAt ??= this.#now();
  }

  resume(): void {
    if (this.#pausedAt !== undefined) this.#paused += this.#now() - this.#pausedAt;
    this.#pausedAt = undefined;
  }

  /** So many bytes have come; false if that is too slow. The first window is free. */
  add(bytes: number): boolean {
    const time = (this.#pausedAt ?? this.#now()) - this.#began - this.#paused;
    const last = this.#steps.at(-1);
    if (last !== undefined && time - last.at < STEP) last.bytes += bytes;
    else this.#steps.push({ at: time, bytes });
    this.#bytes += bytes;
    for (let first = this.#steps[0]; first !== undefined && first.at <= time - WINDOW; first = this.#steps[0]) {
      this.#bytes -= first.bytes;
      this.#steps.shift();
    }
    return time < WINDOW || this.#bytes >= MIN_BYTES;
  }
}
