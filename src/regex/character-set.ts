// Which characters does a set have?

/** Ranges of code points, first and last in turn; ascending, with a gap between any two. */
export type CharacterSet = Int32Array;

/** The last code point. */
export const LAST_CHARACTER = 0x10ffff;

const NO_CHARACTER: CharacterSet = Int32Array.of();
export const ANY_CHARACTER: CharacterSet = Int32Array.of(0, LAST_CHARACTER);
export const ANY_BUT_NEWLINE: CharacterSet = Int32Array.of(0, 9, 11, LAST_CHARACTER);

/** The set of ranges, first and last in turn, that may be in any order and overlap. */
export function setOfRanges(ranges: readonly number[]): CharacterSet {
  const order: number[] = [];
  for (let index = 0; index < ranges.length; index += 2) order.push(index);
  order.sort((a, b) => (ranges[a] as number) - (ranges[b] as number));
  const merged: number[] = [];
  for (const index of order) append(merged, ranges[index] as number, ranges[index + 1] as number);
  return Int32Array.from(merged);
}

/** Adds a range that does not begin before the others. */
function append(ranges: number[], first: number, last: number): void {
  const end = ranges.at(-1);
  if (end !== undefined && first <= end + 1) ranges[ranges.length - 1] = Math.max(end, last);
  else ranges.push(first, last);
}

/** The set of the ranges between two characters each: "azAZ" is [a-zA-Z]. */
export function setOfPairs(pairs: string): CharacterSet {
  return setOfRanges(Array.from(pairs, (character) => character.codePointAt(0) as number));
}

/** All characters of the sets. */
export function unionOf(sets: readonly CharacterSet[]): CharacterSet {
  return sets.reduce(union, NO_CHARACTER);
}

function union(one: CharacterSet, other: CharacterSet): CharacterSet {
  if (one.length === 0 || one === other) return other;
  const merged: number[] = [];
  let index = 0;
  for (let at = 0; at < one.length; at += 2) {
    const first = one[at] as number;
    for (; index < other.length && (other[index] as number) < first; index += 2) {
      append(merged, other[index] as number, other[index + 1] as number);
    }
    append(merged, first, one[at + 1] as number);
  }
  for (; index < other.length; index += 2) append(merged, other[index] as number, other[index + 1] as number);
  return Int32Array.from(merged);
}

/** All characters that the set does not have. */
export function complementOf(set: CharacterSet): CharacterSet {
  const others: number[] = [];
  let next = 0;
  for (let index = 0; index < set.length; index += 2) {
    const first = set[index] as number;
    if (first > next) others.push(next, first - 1);
    next = (set[index + 1] as number) + 1;
  }
  if (next <= LAST_CHARACTER) others.push(next, LAST_CHARACTER);
  return Int32Array.from(others);
}

/** Does the set have the character? */
export function hasCharacter(set: CharacterSet, codePoint: number): boolean {
  // An odd count of first and last ones at or before it: it is inside a range, or it is the last of one.
  const count = countUpTo(set, codePoint);
  return (count & 1) === 1 || (count > 0 && set[count - 1] === codePoint);
}

/** How many of the ascending numbers are at most this one. */
export function countUpTo(ascending: Int32Array, number: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}
