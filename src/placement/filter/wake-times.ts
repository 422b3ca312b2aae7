// When can the passing of time change an answer? A time for each slot that has one.
import { compareTimestamps, type Timestamp } from "../../cel/value/timestamp.ts";

/** Times by slot. Invariant: `#earliest` is the first of them, or undefined if that is unknown. */
export class WakeTimes {
  readonly #times = new Map<number, Timestamp>();
  #earliest: Timestamp | undefined;

  /** Sets or removes the time of a slot. */
  set(slot: number, time: Timestamp | undefined): void {
    if (time === undefined && this.#times.size === 0) return;
    const before = this.#times.get(slot);
    if (before !== undefined && this.#earliest !== undefined && compareTimestamps(before, this.#earliest) === 0)
      this.#earliest = undefined;
    if (time === undefined) {
      this.#times.delete(slot);
      return;
    }
    if (this.#times.size === 0 || (this.#earliest !== undefined && compareTimestamps(time, this.#earliest) < 0))
      this.#earliest = time;
    this.#times.set(slot, time);
  }

  /** The first time of all. */
  get earliest(): Timestamp | undefined {
    if (this.#earliest === undefined)
      for (const time of this.#times.values())
        if (this.#earliest === undefined || compareTimestamps(time, this.#earliest) < 0) this.#earliest = time;
    return this.#earliest;
  }

  /** The first time of the slots that `isMeant` accepts. */
  earliestOf(isMeant: (slot: number) => boolean): Timestamp | undefined {
    let first: Timestamp | undefined;
    for (const [slot, time] of this.#times)
      if ((first === undefined || compareTimestamps(time, first) < 0) && isMeant(slot)) first = time;
    return first;
  }

  /** Has the time of any slot come? */
  isDue(now: Timestamp): boolean {
    if (this.#times.size === 0) return false;
    const { earliest } = this;
    return earliest !== undefined && compareTimestamps(now, earliest) >= 0;
  }

  /** The slots whose time has come. */
  due(now: Timestamp): readonly number[] {
    if (!this.isDue(now)) return [];
    return [...this.#times].filter(([, time]) => compareTimestamps(now, time) >= 0).map(([slot]) => slot);
  }
}
