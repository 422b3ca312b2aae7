// Which item comes next? The one with the least cost; among equals, the one added first.

interface Entry<Item> {
  readonly item: Item;
  readonly cost: readonly number[];
  readonly number: number;
}

/** A priority queue: a binary heap. */
export class Queue<Item> {
  readonly #heap: Entry<Item>[] = [];
  #added = 0;

  /** Adds an item; costs are compared lexicographically. */
  add(item: Item, cost: readonly number[]): void {
    const heap = this.#heap;
    heap.push({ item, cost, number: this.#added++ });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** Removes and returns the first item. */
  take(): Item | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first?.item;
    heap[0] = last;
    for (let parent = 0; ; ) {
      const children = [2 * parent + 1, 2 * parent + 2].filter((child) => child < heap.length);
      const smallest = children.reduce((best, child) => (this.#isBefore(child, best) ? child : best), parent);
      if (smallest === parent) return first.item;
      this.#swap(parent, smallest);
      parent = smallest;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a] as Entry<Item>, this.#heap[b] as Entry<Item>];
    for (const [index, cost] of one.cost.entries()) {
      const difference = cost - (other.cost[index] ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return one.number < other.number;
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b] as Entry<Item>, this.#heap[a] as Entry<Item>];
  }
}
