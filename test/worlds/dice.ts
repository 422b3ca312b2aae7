// Where does chance come from? From a seed alone: the same seed makes the same throws on every machine.

/** Repeatable chance (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0, inclusive, to 1, exclusive. */
  throw(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.throw() < probability;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.throw() * (most - least + 1));
  }

  /** One of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)] as Item;
  }

  /** Each item of a list with this probability. */
  some<Item>(items: readonly Item[], probability: number): readonly Item[] {
    return items.filter(() => this.chance(probability));
  }

  /** As many results as there are throws of a coin, from `least` to `most`. */
  times<Result>(least: number, most: number, make: () => Result): readonly Result[] {
    return Array.from({ length: this.between(least, most) }, make);
  }
}
