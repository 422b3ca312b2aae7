// How are many short lists of numbers stored without an object for each? In one array, each list in its own segment;
// a list that outgrows its segment moves to the end.

import { FIRST_VARIABLES, grown, ints } from "./arrays.ts";

const FIRST_CAPACITY = 4;

/** Lists of numbers, numbered from 0. `words` must be read again after every push. */
export class IntLists {
  words: Int32Array<ArrayBuffer> = ints(8 * FIRST_VARIABLES);
  /** Where each list begins in `words`. */
  starts: Int32Array<ArrayBuffer> = ints(2 * FIRST_VARIABLES);
  sizes: Int32Array<ArrayBuffer> = ints(2 * FIRST_VARIABLES);
  count = 0;
  #capacities: Int32Array<ArrayBuffer> = ints(2 * FIRST_VARIABLES);
  #used = 0;

  /** A new list, empty. */
  addList(): number {
    if (this.count === this.starts.length) {
      this.starts = grown(this.starts, 0);
      this.sizes = grown(this.sizes, 0);
      this.#capacities = grown(this.#capacities, 0);
    }
    return this.count++;
  }

  /** Appends a number to a list. */
  push(list: number, value: number): void {
    const size = this.sizes[list] as number;
    if (size === this.#capacities[list]) this.#move(list);
    this.words[(this.starts[list] as number) + size] = value;
    this.sizes[list] = size + 1;
  }

  /** Appends two numbers to a list of pairs. */
  pushPair(list: number, first: number, second: number): void {
    const size = this.sizes[list] as number;
    if (size === this.#capacities[list]) this.#move(list);
    const at = (this.starts[list] as number) + size;
    this.words[at] = first;
    this.words[at + 1] = second;
    this.sizes[list] = size + 2;
  }

  /** Removes the gaps that moves have left. */
  compact(): void {
    let total = 0;
    for (let list = 0; list < this.count; list++) total += room(this.sizes[list] as number);
    const words = new Int32Array(Math.max(256, total + (total >> 1)));
    let at = 0;
    for (let list = 0; list < this.count; list++) {
      const start = this.starts[list] as number;
      const size = this.sizes[list] as number;
      words.set(this.words.subarray(start, start + size), at);
      this.starts[list] = at;
      this.#capacities[list] = room(size);
      at += room(size);
    }
    this.words = words;
    this.#used = at;
  }

  #move(list: number): void {
    const old = this.#capacities[list] as number;
    const capacity = old === 0 ? FIRST_CAPACITY : old * 2;
    if (this.#used + capacity > this.words.length) this.words = grown(this.words, this.#used + capacity);
    const start = this.starts[list] as number;
    this.words.copyWithin(this.#used, start, start + old);
    this.starts[list] = this.#used;
    this.#capacities[list] = capacity;
    this.#used += capacity;
  }
}

/** An even capacity, so that pairs stay whole. */
function room(size: number): number {
  return (size + 1) & ~1;
}
