// A seeded random choice, so that every run measures the same instances.

/** Gives numbers from 0 up to, but without, a bound. */
export function randomBelow(seed) {
  let state = seed >>> 0 || 1;
  return (bound) => {
    // xorshift, 32 bits
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** The items in another order. */
export function shuffled(items, below) {
  const list = [...items];
  for (let last = list.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [list[last], list[other]] = [list[other], list[last]];
  }
  return list;
}
