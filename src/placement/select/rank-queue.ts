// Which rank is the smallest? A heap.

/** A heap of ranks. */
export class RankQueue {
  readonly #heap: number[] = [];

  /** The smallest rank. */
  get first(): number | undefined {
    return this.#heap[0];
  }

  push(rank: number): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const other = heap[up] as number;
      if (other <= rank) break;
      heap[at] = other;
      at = up;
    }
    heap[at] = rank;
  }

  /** Removes the smallest rank. */
  pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && (heap[down + 1] as number) < (heap[down] as number)) down += 1;
      if ((heap[down] as number) >= last) break;
      heap[at] = heap[down] as number;
      at = down;
    }
    heap[at] = last;
  }
}
