// Where does chance come from? From a seed alone (mulberry32): the same seed makes the same fleets on every machine.

/** Repeatable chance. */
export function diceOf(seed) {
  let state = seed >>> 0;
  const throwOnce = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least, most) => least + Math.floor(throwOnce() * (most - least + 1));
  return {
    between,
    /** True with this probability. */
    chance: (probability) => throwOnce() < probability,
    pick: (items) => items[between(0, items.length - 1)],
    /** Each item of a list with this probability. */
    some: (items, probability) => items.filter(() => throwOnce() < probability),
    /** As many results as there are from `least` to `most`. */
    several: (least, most, make) => Array.from({ length: between(least, most) }, (_, index) => make(index)),
  };
}
