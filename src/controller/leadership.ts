// When may a new leader make its first plan? The last writes of the previous leader, and the changes that caused them, may not have been
// delivered yet: a watch can be late or cut off. The first plans are based on lists that start after this process has become the leader.

import type { Clock } from "./clock.ts";

export interface LeadershipOptions<Kind> {
  /** What is watched. */
  readonly kinds: readonly Kind[];
  /** Lists a kind once more; resolves when that is done, or the kind is lost. */
  readonly listAgain: (kind: Kind) => Promise<void>;
  readonly clock: Clock;
  /** Plans may be made now. */
  readonly onReady: () => void;
  /** Nothing is written yet because of these kinds. */
  readonly onWaiting: (kinds: readonly Kind[]) => void;
}

/** How often the kinds that are waited for are reported, in milliseconds. */
const WAITING_PERIOD = 5000;

export class Leadership<Kind> {
  readonly #options: LeadershipOptions<Kind>;
  /** The number of the term: the time during which this process leads without a break. */
  #term = 0;
  /** Aborted when the term ends. */
  #over = new AbortController();
  #isReady = false;

  constructor(options: LeadershipOptions<Kind>) {
    this.#options = options;
  }

  /** Does this process lead, and may it make plans? */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** The term that the plans of now belong to: what was planned in an earlier one must not be written. */
  get term(): number {
    return this.#term;
  }

  /** This process leads from now on. */
  async begin(term: number): Promise<void> {
    this.end();
    const over = new AbortController();
    this.#over = over;
    this.#term = term;
    const { kinds, listAgain, onReady } = this.#options;
    const waitingFor = new Set(kinds);
    this.#reportWaiting(waitingFor, over.signal);
    await Promise.all(kinds.map((kind) => listAgain(kind).then(() => waitingFor.delete(kind))));
    if (over.signal.aborted) return;
    this.#isReady = true;
    onReady();
  }

  /** This process no longer leads, or stops. */
  end(): void {
    this.#isReady = false;
    this.#over.abort();
  }

  #reportWaiting(waitingFor: ReadonlySet<Kind>, over: AbortSignal): void {
    const { clock, onWaiting } = this.#options;
    clock.after(WAITING_PERIOD, () => {
      if (over.aborted || waitingFor.size === 0) return;
      onWaiting([...waitingFor]);
      this.#reportWaiting(waitingFor, over);
    });
  }
}
